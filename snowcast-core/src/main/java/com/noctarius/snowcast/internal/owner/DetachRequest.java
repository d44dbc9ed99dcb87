// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.internal.owner.Grant.Token;

/**
 * Releases a node ID.
 *
 * @param lastMillis the highest timestamp that may have been used, in ID time
 */
public record DetachRequest(String name, int logicalNodeId, Token token, long lastMillis) {}
