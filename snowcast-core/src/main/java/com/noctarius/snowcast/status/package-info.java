// SPDX-License-Identifier: Apache-2.0
/** The state of a cluster, for operators and tools: who holds which node ID, how many integers are left. */
@NullMarked
package com.noctarius.snowcast.status;

import org.jspecify.annotations.NullMarked;
