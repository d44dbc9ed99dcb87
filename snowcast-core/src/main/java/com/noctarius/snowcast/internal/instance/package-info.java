// SPDX-License-Identifier: Apache-2.0
/** The {@code Snowcast} of one {@code HazelcastInstance}, member or client alike, and how it asks the cluster. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.instance;
