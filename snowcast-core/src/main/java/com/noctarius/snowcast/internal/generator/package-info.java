// SPDX-License-Identifier: Apache-2.0
/** The word: IDs from one granted stretch of time, without any cluster. */
@NullMarked
package com.noctarius.snowcast.internal.generator;

import org.jspecify.annotations.NullMarked;
