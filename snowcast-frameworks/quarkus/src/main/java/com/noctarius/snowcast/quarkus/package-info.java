// SPDX-License-Identifier: Apache-2.0
/**
 * Beans of Quarkus that the configuration describes: a {@code Snowcast}, sequencers, integer sequences and node leases,
 * with readiness and meters. An application needs none of these classes: {@code docs/quarkus.md} has the properties.
 */
@NullMarked
package com.noctarius.snowcast.quarkus;

import org.jspecify.annotations.NullMarked;
