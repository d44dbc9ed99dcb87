// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.store.Block;
import java.util.UUID;

/**
 * The last block that a holder was given, for the case that it asks again.
 *
 * @param requestNumber the request that it was given for
 * @param version the number of the pool's change behind it
 */
public record RememberedReply(UUID holder, long requestNumber, Block block, long version) {}
