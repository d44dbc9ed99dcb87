// SPDX-License-Identifier: Apache-2.0
/** Leases of node IDs from a SQL database, and blocks of integers from windows in one or many SQL databases. */
@NullMarked
package com.noctarius.snowcast.jdbc;

import org.jspecify.annotations.NullMarked;
