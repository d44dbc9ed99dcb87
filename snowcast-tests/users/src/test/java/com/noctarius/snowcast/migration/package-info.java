// SPDX-License-Identifier: Apache-2.0
/** What docs/migration says, tried with the generators that it is about. */
@NullMarked
package com.noctarius.snowcast.migration;

import org.jspecify.annotations.NullMarked;
