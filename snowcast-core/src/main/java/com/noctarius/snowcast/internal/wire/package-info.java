// SPDX-License-Identifier: Apache-2.0
/** What members and clients send each other: how it is written, what is asked for, and how an answer is waited for. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.wire;
