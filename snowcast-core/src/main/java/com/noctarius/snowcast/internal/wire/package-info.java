// SPDX-License-Identifier: Apache-2.0
/** The messages between members, and between members and clients: their types and wire formats. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.wire;
