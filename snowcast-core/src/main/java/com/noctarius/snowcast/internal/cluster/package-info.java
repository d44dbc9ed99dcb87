// SPDX-License-Identifier: Apache-2.0
/**
 * snowcast on a Hazelcast member: the service, the data of partitions, operations. Uses Hazelcast's private SPI.
 *
 * <p>The owner of a partition executes a request in {@code RequestOperation}: {@code OwnerCheck.before} decides whether
 * this member may act; {@code Handlers} calls the table, with the limits of {@code GrantBounds};
 * {@code ReplicatedChanges} go to the backups; {@code OwnerCheck.after} decides whether the answer may be sent. The
 * caller receives the answer when the backups have acknowledged the changes. docs/dev/design.md lists all that may
 * refuse a request, below the walk of an attach.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.cluster;
