// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

/**
 * The fencing token of a grant: whoever does not show the current one can neither extend the grant nor give it back.
 *
 * @param tableEpoch random, drawn when the table came to be or lost its data
 * @param sequence counts the grants within a table epoch
 */
public record Token(long tableEpoch, long sequence) {}
