// SPDX-License-Identifier: Apache-2.0
/**
 * Generates the IDs of a granted period of time, by updates of one atomic word, without calls to the cluster.
 *
 * <p>As long as the grants of {@code NodeTable} do not overlap, a process that pauses at any line, for any time, issues
 * no ID that another process may issue:
 *
 * <ul>
 *   <li>{@code Attachment} takes each ID by one atomic update of the word, so no two calls take the same one. A call
 *       that compares and sets the word succeeds only if the word is as the call has read it. A call that adds to the
 *       word checks afterwards which slots it took.
 *   <li>The time in each ID lies below the ceiling of the lease: {@code GrantInUse.mayIssue} has admitted its
 *       millisecond, for this call or for an earlier one, and the ceiling only rises. The next grant of the node ID
 *       begins at that ceiling ({@code AttachDecision}), or, after a release, above the last ID. A call that resumes
 *       late therefore gets an ID of its own lease, which no other holder can issue.
 *   <li>A grant that ended early is sealed ({@code GrantInUse.seal}): no update of its word yields an ID any more. Its
 *       holder seals the grant before it releases the node ID.
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.generator;
