// SPDX-License-Identifier: Apache-2.0
/** Whether a member may act as the owner of its partitions. Pure code. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.membership;
