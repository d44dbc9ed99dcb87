// SPDX-License-Identifier: Apache-2.0
/**
 * Identifiers from snowcast for MyBatis-Plus ({@link com.noctarius.snowcast.mybatis.SnowcastIdentifierGenerator}) and
 * for MyBatis ({@link com.noctarius.snowcast.mybatis.SnowcastIdInterceptor}).
 */
@NullMarked
package com.noctarius.snowcast.mybatis;

import org.jspecify.annotations.NullMarked;
