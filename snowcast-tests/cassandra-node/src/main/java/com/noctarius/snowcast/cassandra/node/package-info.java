// SPDX-License-Identifier: Apache-2.0
/** Real Cassandra nodes in processes of their own, and faults between them. */
@NullMarked
package com.noctarius.snowcast.cassandra.node;

import org.jspecify.annotations.NullMarked;
