// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import java.util.UUID;

/**
 * A node ID of a destroyed sequencer.
 *
 * @param holder who was granted it last
 * @param floor where that grant began
 * @param lastMillis the highest timestamp its holder may have used, as far as the table knows
 */
public record DestroyedNode(UUID holder, long floor, long lastMillis) {}
