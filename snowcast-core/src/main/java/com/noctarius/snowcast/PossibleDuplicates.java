// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Instant;

/**
 * IDs that may have been issued twice after a network split without split-brain protection: both sides continued, and
 * each may have granted the same node ID to a different process. The report is an upper bound: whether there are
 * duplicates depends on when the node ID was granted, and on the IDs that the processes issued.
 *
 * @param sequencerName the name of the sequencer or node lease
 * @param logicalNodeId the affected node ID; -1 for all node IDs, if the sides had created the sequencer with different
 *     definitions, or if a side had ever destroyed it
 * @param from the earliest time of the possible duplicates
 * @param to the end of the time of the possible duplicates, exclusive
 */
public record PossibleDuplicates(String sequencerName, int logicalNodeId, Instant from, Instant to) {}
