// SPDX-License-Identifier: Apache-2.0
/**
 * Looks for faults of the protocol in small scopes. {@code Explorer} visits every state, and looks for an ID that is
 * issued twice. {@code Membership} visits every state of a few members, and {@code Quorums} runs chosen and random
 * schedules; both look for a member that acts as an owner although it lacks decisions of an earlier owner.
 */
@NullMarked
package com.noctarius.snowcast.internal.explorer;

import org.jspecify.annotations.NullMarked;
