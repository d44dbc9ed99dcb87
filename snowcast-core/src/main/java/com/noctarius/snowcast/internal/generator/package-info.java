// SPDX-License-Identifier: Apache-2.0
/** The word: IDs from one granted stretch of time, without any cluster. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.generator;
