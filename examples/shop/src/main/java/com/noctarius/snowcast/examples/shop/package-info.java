// SPDX-License-Identifier: Apache-2.0
/** An order service with generated IDs, run as three instances. */
@NullMarked
package com.noctarius.snowcast.examples.shop;

import org.jspecify.annotations.NullMarked;
