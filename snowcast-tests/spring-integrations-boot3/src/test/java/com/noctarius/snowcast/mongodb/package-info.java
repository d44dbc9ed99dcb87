// SPDX-License-Identifier: Apache-2.0
@NullMarked
package com.noctarius.snowcast.mongodb;

import org.jspecify.annotations.NullMarked;
