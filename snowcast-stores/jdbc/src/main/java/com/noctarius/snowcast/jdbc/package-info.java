// SPDX-License-Identifier: Apache-2.0
/** Blocks of integers from windows in one or many SQL databases. */
@NullMarked
package com.noctarius.snowcast.jdbc;

import org.jspecify.annotations.NullMarked;
