// SPDX-License-Identifier: Apache-2.0
/**
 * Micronaut beans from the configuration: a {@code Snowcast}, sequencers, integer sequences and node leases, with
 * readiness, meters, and identifiers of Micronaut Data entities. An application does not use these classes directly:
 * {@code docs/micronaut.md} has the properties.
 */
@NullMarked
package com.noctarius.snowcast.micronaut;

import org.jspecify.annotations.NullMarked;
