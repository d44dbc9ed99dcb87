// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

/** A generator that has started. It stops when its process is killed. */
@FunctionalInterface
interface Ids {
    /** Returns the next ID, or throws what the generator throws. */
    Id next() throws Exception;
}
