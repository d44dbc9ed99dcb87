// SPDX-License-Identifier: Apache-2.0
/** Tests of integer sequences that look inside. */
@NullMarked
package com.noctarius.snowcast.internal.holder;

import org.jspecify.annotations.NullMarked;
