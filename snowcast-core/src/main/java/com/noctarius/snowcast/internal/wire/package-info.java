// SPDX-License-Identifier: Apache-2.0
/** What members and clients send each other: what is asked for, and how it is written and read. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.wire;
