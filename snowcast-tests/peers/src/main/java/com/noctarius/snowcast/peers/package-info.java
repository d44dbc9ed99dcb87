// SPDX-License-Identifier: Apache-2.0
/** Generators of several projects under the same faults; docs/peers.md says what is run, and how. */
@NullMarked
package com.noctarius.snowcast.peers;

import org.jspecify.annotations.NullMarked;
