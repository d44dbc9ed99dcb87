// SPDX-License-Identifier: Apache-2.0
/**
 * Clocks, waiting, threads and metrics for all internal packages, and the readiness for all frameworks. Other internal
 * packages read the system's clocks only through {@link Clock}.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.base;
