// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

/**
 * A node ID of a destroyed sequencer.
 *
 * @param token the last grant
 * @param lastMillis the highest timestamp its holder may have used, as far as the table knows
 */
public record DestroyedNode(Token token, long lastMillis) {}
