// SPDX-License-Identifier: Apache-2.0
/** Tests of Spring Boot applications with Cassandra stores, on a real node. */
@NullMarked
package com.noctarius.snowcast.cassandra;

import org.jspecify.annotations.NullMarked;
