// SPDX-License-Identifier: Apache-2.0
/** Runs generators of several projects under the same faults; see docs/peers.md. */
@NullMarked
package com.noctarius.snowcast.peers;

import org.jspecify.annotations.NullMarked;
