// SPDX-License-Identifier: Apache-2.0
/** What members and clients show of themselves, whoever collects it. Knows the clock and the API. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.metrics;
