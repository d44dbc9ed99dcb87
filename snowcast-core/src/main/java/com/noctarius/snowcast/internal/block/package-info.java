// SPDX-License-Identifier: Apache-2.0
/** Integer sequences: one block in use, the next one reserved in the background. Knows the SPI, the clock and the API. */
@NullMarked
package com.noctarius.snowcast.internal.block;

import org.jspecify.annotations.NullMarked;
