// SPDX-License-Identifier: Apache-2.0
/**
 * Beans of Micronaut that the configuration describes: a {@code Snowcast}, sequencers, integer sequences and node
 * leases, with readiness, meters, and identifiers of entities of Micronaut Data. An application needs none of these
 * classes: {@code docs/micronaut.md} has the properties.
 */
@NullMarked
package com.noctarius.snowcast.micronaut;

import org.jspecify.annotations.NullMarked;
