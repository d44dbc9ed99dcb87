// SPDX-License-Identifier: Apache-2.0
/** The instances that a {@code HazelcastInstance} has of its sequencers and integer sequences. Pure code. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.names;
