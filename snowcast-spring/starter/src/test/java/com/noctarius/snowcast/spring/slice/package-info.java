// SPDX-License-Identifier: Apache-2.0
@NullMarked
package com.noctarius.snowcast.spring.slice;

import org.jspecify.annotations.NullMarked;
