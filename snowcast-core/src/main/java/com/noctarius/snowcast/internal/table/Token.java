// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

/**
 * Names one grant: a holder that shows it is the one the grant was made to.
 *
 * @param tableEpoch random, drawn when the table came to be or lost its data
 * @param sequence counts the grants within a table epoch
 */
public record Token(long tableEpoch, long sequence) {}
