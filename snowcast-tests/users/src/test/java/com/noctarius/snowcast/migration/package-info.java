// SPDX-License-Identifier: Apache-2.0
/** Tests docs/migration with the generators that it describes. */
@NullMarked
package com.noctarius.snowcast.migration;

import org.jspecify.annotations.NullMarked;
