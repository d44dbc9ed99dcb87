// SPDX-License-Identifier: Apache-2.0
/** Starts real Cassandra nodes in their own processes, and injects faults. */
@NullMarked
package com.noctarius.snowcast.cassandra.node;

import org.jspecify.annotations.NullMarked;
