// SPDX-License-Identifier: Apache-2.0
/** The state of a cluster, for operators and tools: which process has which node ID, what sequences have left. */
@NullMarked
package com.noctarius.snowcast.status;

import org.jspecify.annotations.NullMarked;
