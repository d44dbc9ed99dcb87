// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

/** A call that is measured. */
@FunctionalInterface
interface IdSource {
    long next() throws InterruptedException;
}
