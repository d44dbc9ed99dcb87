// SPDX-License-Identifier: Apache-2.0
/** The decisions of the partition owner: who holds which logical node ID, for which stretch of time. Pure code. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.table;
