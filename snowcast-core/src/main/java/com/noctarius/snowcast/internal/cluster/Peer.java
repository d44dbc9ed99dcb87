// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.floor.FloorMark;

/**
 * What a member tells another one of itself.
 *
 * @param listsCaller whether it lists the other one as a member
 * @param firstNodeId the first node ID that it may grant
 * @param lastNodeId the last one
 * @param former how far IDs may have been issued before it was started
 */
record Peer(boolean listsCaller, int firstNodeId, int lastNodeId, FloorMark former) {}
