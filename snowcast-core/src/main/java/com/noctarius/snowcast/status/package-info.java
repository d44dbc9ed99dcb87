// SPDX-License-Identifier: Apache-2.0
/** Who holds what in a cluster, for operators and their tools. */
@NullMarked
package com.noctarius.snowcast.status;

import org.jspecify.annotations.NullMarked;
