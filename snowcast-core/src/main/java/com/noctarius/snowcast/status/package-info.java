// SPDX-License-Identifier: Apache-2.0
/**
 * The state of a cluster, for operators and tools: which process holds which node ID, and how many integers are left.
 */
@NullMarked
package com.noctarius.snowcast.status;

import org.jspecify.annotations.NullMarked;
