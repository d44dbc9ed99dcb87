// SPDX-License-Identifier: Apache-2.0
/**
 * IDs as text in JSON: {@link com.noctarius.snowcast.jackson.JsonSnowcastId} on what holds an ID,
 * {@link com.noctarius.snowcast.jackson.SnowcastJackson2Module} for mappers of Jackson 2,
 * {@link com.noctarius.snowcast.jackson.SnowcastJackson3Module} for those of Jackson 3.
 */
@NullMarked
package com.noctarius.snowcast.jackson;

import org.jspecify.annotations.NullMarked;
