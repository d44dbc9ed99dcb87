// SPDX-License-Identifier: Apache-2.0
/**
 * snowcast on a Hazelcast member: the service, the data of partitions, operations. Uses Hazelcast's private SPI.
 *
 * <p>The owner of a partition executes a request in {@code RequestOperation}: {@code OwnerCheck.before} decides whether
 * this member may act; {@code Handlers} calls the table, with the limits of {@code GrantBounds}; the changes that
 * {@code RequestContext} has recorded go to the backups; {@code OwnerCheck.after} decides whether the answer may be
 * sent. The caller receives the answer when the backups have acknowledged the changes.
 *
 * <p>An attach request succeeds only if none of these refuses it. They decide in this order; only the backups'
 * acknowledgements may come after the check that follows them. A renewal must pass all of them except
 * {@code AttachDecision} and {@code GrantHolder.attach}, and also runs in a PASSIVE cluster:
 *
 * <ol>
 *   <li>For a client, {@code ClientRequestTask}: it lacks the permission. For a client's renewals,
 *       {@code ClientRequests}: it belongs to another cluster.
 *   <li>Hazelcast's split-brain protection, by the name of the operation.
 *   <li>{@code OwnerCheck.before}: the cluster is PASSIVE; this member leaves its cluster, or has conflicting settings;
 *       there are too few live backups; the settings of an older member are not known yet; the {@code Electorate} does
 *       not let this member act, because too few members confirm it, or too few of them know what was granted before;
 *       its data has just been discarded; or, after a full restart, high-water marks or the end of a wait are not known
 *       yet ({@code GrantBounds.requireNotCold}).
 *   <li>{@code GrantBounds}: the high-water mark was never written ({@code rulesToAttach}), or cannot be written and
 *       bounds all renewals of the request ({@code rulesToRenew}).
 *   <li>{@code NodeTable}: another definition; an incarnation that is destroyed; for an attach, a destroyed sequencer
 *       whose node IDs are still being released, the wait after a loss of data, or a request that is not the holder's
 *       latest; for a renewal, a grant that is not the present one.
 *   <li>{@code AttachDecision}: a clock before the epoch or after the layout's time, clocks that differ by too much, a
 *       lease or a range of node IDs that is not allowed, IDs of before that are too far ahead, no free node ID, a
 *       high-water mark below the grant.
 *   <li>A backup, which does not acknowledge a change from an owner that has left, from before members discarded their
 *       data ({@code Containers.join}), or of another table ({@code ReplicatedTable.requireJoinable}). The caller's
 *       member requires all acknowledgements ({@code setFailOnIndeterminateOperationState}).
 *   <li>{@code OwnerCheck.after}: this member may not act any more, or the backups have changed.
 *   <li>{@code MemberTransport.hasMemberLeft}, on the caller's member: it is not known whether the backups have the
 *       change, so the caller sends an attach request again. A renewal counts as failed, and is due again soon.
 *   <li>{@code GrantHolder.attach}, in the package {@code leases}: the grant has become void on its way.
 * </ol>
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.cluster;
