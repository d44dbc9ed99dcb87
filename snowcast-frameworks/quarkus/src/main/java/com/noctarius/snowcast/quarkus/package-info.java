// SPDX-License-Identifier: Apache-2.0
/**
 * Quarkus beans from the configuration: a {@code Snowcast}, sequencers, integer sequences and node leases, with
 * readiness and meters. An application does not use these classes directly: {@code docs/quarkus.md} has the properties.
 */
@NullMarked
package com.noctarius.snowcast.quarkus;

import org.jspecify.annotations.NullMarked;
