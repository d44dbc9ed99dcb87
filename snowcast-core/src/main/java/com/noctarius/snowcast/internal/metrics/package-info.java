// SPDX-License-Identifier: Apache-2.0
/** What members and clients show of themselves, whoever collects it. Knows the clock and the API. */
@NullMarked
package com.noctarius.snowcast.internal.metrics;

import org.jspecify.annotations.NullMarked;
