// SPDX-License-Identifier: Apache-2.0
/**
 * Generates the IDs of a granted period of time, by updates of one atomic word, without calls to the cluster.
 *
 * <p>A process that pauses at any line, for any time, issues no ID that another process may issue:
 *
 * <ul>
 *   <li>{@code Attachment} takes an ID by one atomic update of the word. The update succeeds only if the word has not
 *       changed since the call checked it. A call that only counts checks again afterwards, in {@code redeem}.
 *   <li>The time in the ID lies below the ceiling of the lease ({@code GrantInUse.mayIssue}). The owner grants the node
 *       ID to another holder only for times from that ceiling on ({@code AttachDecision}). A call that resumes late
 *       therefore gets an ID of the old lease, which no other holder can issue.
 *   <li>A grant that ended early is sealed ({@code GrantInUse.seal}): no update of its word succeeds any more. Its
 *       holder seals the grant before it releases the node ID.
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.generator;
