// SPDX-License-Identifier: Apache-2.0
@NullMarked
package com.noctarius.snowcast.spring.imports;

import org.jspecify.annotations.NullMarked;
