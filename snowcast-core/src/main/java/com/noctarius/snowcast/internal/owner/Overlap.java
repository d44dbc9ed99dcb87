// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * A node ID that both sides of a split network granted: what may have been issued twice.
 *
 * @param logicalNodeId the node ID, or -1 for all: the sides had different definitions, or one has destroyed it
 * @param fromMillis the first millisecond, since 1970
 * @param toMillis the millisecond behind the last
 */
public record Overlap(int logicalNodeId, long fromMillis, long toMillis) {}
