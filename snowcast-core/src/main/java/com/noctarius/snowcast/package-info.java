// SPDX-License-Identifier: Apache-2.0
/**
 * The API: {@link com.noctarius.snowcast.SnowcastSystem} gives a {@link com.noctarius.snowcast.Snowcast}, which creates
 * {@link com.noctarius.snowcast.SnowcastSequencer}s.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast;
