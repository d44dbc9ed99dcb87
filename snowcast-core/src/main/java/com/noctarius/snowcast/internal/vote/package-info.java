// SPDX-License-Identifier: Apache-2.0
/**
 * Decides whether a member may act as the owner of its partitions. Knows neither tables nor Hazelcast.
 *
 * <ul>
 *   <li>Whether enough members confirm that a member is still in its cluster: {@code Electorate}; how long it waits for
 *       absent members: {@code WaitForOthers}.
 *   <li>Whether enough of them know what was decided before: {@code Knowledge}.
 *   <li>When a member asks the others for their votes: {@code VoteRounds}.
 * </ul>
 *
 * <p>{@code OwnerCheck}, in the package {@code cluster}, asks before and after most requests.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.vote;
