// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

import com.noctarius.snowcast.store.Block;
import java.util.UUID;

/**
 * The last block that a holder was given.
 *
 * @param requestNumber the request that it answers
 * @param version the counter's state behind it
 */
public record Answer(UUID holder, long requestNumber, Block block, long version) {}
