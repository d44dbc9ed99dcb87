// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

/** A measured call that returns an ID or another number. */
@FunctionalInterface
interface IdSource {
    long next() throws InterruptedException;
}
