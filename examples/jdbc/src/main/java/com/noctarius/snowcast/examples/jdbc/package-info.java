// SPDX-License-Identifier: Apache-2.0
/** Runnable examples with databases. */
@NullMarked
package com.noctarius.snowcast.examples.jdbc;

import org.jspecify.annotations.NullMarked;
