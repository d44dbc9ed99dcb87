// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link ClientRequest}.
 *
 * @param clusterId the cluster that answers: the grants of another one mean nothing to it
 * @param value the answer itself
 */
public record ClientReply<T>(UUID clusterId, @Nullable T value) {}
