// SPDX-License-Identifier: Apache-2.0
/** What versions 1 and 2 had, and new code does not need. */
@NullMarked
package com.noctarius.snowcast;

import org.jspecify.annotations.NullMarked;
