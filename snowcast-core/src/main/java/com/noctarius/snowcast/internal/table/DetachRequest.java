// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

/**
 * Gives a node ID back.
 *
 * @param name the sequencer
 * @param logicalNodeId the node ID of the grant
 * @param token the token of the grant
 * @param lastMillis the highest timestamp that may have been used, in ID time
 */
public record DetachRequest(String name, int logicalNodeId, Token token, long lastMillis) {}
