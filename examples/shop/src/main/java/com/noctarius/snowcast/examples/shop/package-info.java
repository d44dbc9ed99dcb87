// SPDX-License-Identifier: Apache-2.0
/** A service whose orders have IDs, run three times. */
@NullMarked
package com.noctarius.snowcast.examples.shop;

import org.jspecify.annotations.NullMarked;
