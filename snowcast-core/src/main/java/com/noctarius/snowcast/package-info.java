// SPDX-License-Identifier: Apache-2.0
/**
 * Unique, time-ordered 64-bit IDs, and compact integer sequences.
 *
 * <ol>
 *   <li>{@link com.noctarius.snowcast.SnowcastSystem} returns the {@link com.noctarius.snowcast.Snowcast} of a member
 *       or client.
 *   <li>The {@code Snowcast} creates {@link com.noctarius.snowcast.SnowcastSequencer}s and
 *       {@link com.noctarius.snowcast.IntegerSequence}s by name.
 *   <li>A sequencer leases a node ID for a period of time, and generates IDs of that period without the cluster.
 *   <li>An integer sequence reserves blocks of integers in a {@linkplain com.noctarius.snowcast.store store}.
 *   <li>If the cluster, the store, a clock or the state of the object does not allow a call, the call usually throws a
 *       {@link com.noctarius.snowcast.SnowcastException}. Its message says why, and usually what to do.
 * </ol>
 *
 * <p>Readers of the code begin with the {@code package-info.java} of five internal packages: {@code owner} (who gets
 * which node ID, until when), {@code cluster} (where a member may refuse a request), {@code vote} (whether a member may
 * act), {@code leases} (how a holder gets, renews and loses a lease) and {@code generator} (how a lease bounds the IDs
 * of a process).
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast;
