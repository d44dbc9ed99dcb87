// SPDX-License-Identifier: Apache-2.0
/**
 * Jackson modules that write IDs as text in JSON. {@link com.noctarius.snowcast.jackson.JsonSnowcastId} marks a
 * property that is an ID. A mapper of Jackson 2 needs {@link com.noctarius.snowcast.jackson.SnowcastJackson2Module}, a
 * mapper of Jackson 3 needs {@link com.noctarius.snowcast.jackson.SnowcastJackson3Module}.
 */
@NullMarked
package com.noctarius.snowcast.jackson;

import org.jspecify.annotations.NullMarked;
