// SPDX-License-Identifier: Apache-2.0
/** Runnable examples. */
@NullMarked
package com.noctarius.snowcast.examples;

import org.jspecify.annotations.NullMarked;
