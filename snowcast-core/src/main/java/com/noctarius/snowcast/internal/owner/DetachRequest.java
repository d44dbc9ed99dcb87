// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.internal.owner.Grant.Token;

/** A request to release a node ID; {@code lastIdTime} is the highest ID time that the holder may have used. */
public record DetachRequest(String name, int logicalNodeId, Token token, long lastIdTime) {}
