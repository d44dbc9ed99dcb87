// SPDX-License-Identifier: Apache-2.0
/**
 * Sequencers and integer sequences as Hazelcast's Flake ID generators, for clients that do not have snowcast. No API: it is
 * enough that the module is on the class path of the members. Hazelcast's private SPI is used here.
 */
@NullMarked
package com.noctarius.snowcast.flakeids;

import org.jspecify.annotations.NullMarked;
