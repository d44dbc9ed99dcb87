// SPDX-License-Identifier: Apache-2.0
/** The seam to the clocks of the system, which are read here and nowhere else. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.clock;
