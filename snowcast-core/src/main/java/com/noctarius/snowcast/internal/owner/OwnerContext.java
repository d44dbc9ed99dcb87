// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * The owner of a partition while it decides one request.
 *
 * @param nowMillis cluster time
 * @param latestIncarnation the highest incarnation that a holder can know: incarnations begin by cluster time
 */
public record OwnerContext(long nowMillis, long latestIncarnation) {}
