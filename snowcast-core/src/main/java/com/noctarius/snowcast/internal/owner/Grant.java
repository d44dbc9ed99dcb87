// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * A node ID for a stretch of ID time, {@code [floor, ceiling)} in milliseconds since the sequencer's epoch.
 *
 * @param incarnation which incarnation of the sequencer it belongs to
 * @param leaseMillis by how much an extension will raise the ceiling above the present
 */
public record Grant(long incarnation, int logicalNodeId, Token token, long floor, long ceiling, long leaseMillis) {}
