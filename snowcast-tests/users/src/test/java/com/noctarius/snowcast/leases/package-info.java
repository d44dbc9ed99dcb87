// SPDX-License-Identifier: Apache-2.0
/** What docs/node-leases-adapters.md says, run with the generators that it is about. */
@NullMarked
package com.noctarius.snowcast.leases;

import org.jspecify.annotations.NullMarked;
