// SPDX-License-Identifier: Apache-2.0
/** Tests docs/node-leases-adapters.md with the generators that it describes. */
@NullMarked
package com.noctarius.snowcast.leases;

import org.jspecify.annotations.NullMarked;
