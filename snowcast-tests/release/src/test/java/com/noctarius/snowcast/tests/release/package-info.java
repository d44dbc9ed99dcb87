// SPDX-License-Identifier: Apache-2.0
/** What a release consists of. */
@NullMarked
package com.noctarius.snowcast.tests.release;

import org.jspecify.annotations.NullMarked;
