// SPDX-License-Identifier: Apache-2.0
/** Tests of integer sequences that look inside. */
@NullMarked
package com.noctarius.snowcast.internal.integers;

import org.jspecify.annotations.NullMarked;
