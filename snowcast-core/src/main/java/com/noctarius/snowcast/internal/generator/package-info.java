// SPDX-License-Identifier: Apache-2.0
/**
 * Generates the IDs of a granted period of time, by updates of one atomic word, without calls to the cluster.
 *
 * <p>As long as the grants of {@code NodeTable} do not overlap, a process that pauses at any line, for any time, issues
 * no ID that another process may issue: each call takes its slot by one atomic update, and issues it only below the
 * ceiling, which only rises; no update of a sealed word yields an ID. All updates of one word have one order: a slot
 * was taken before the seal, and is at or below the value that the seal returns, or it is never issued. Why an owner
 * that pauses makes no grants that overlap: see {@code OwnerCheck} and {@code Electorate}.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.generator;
