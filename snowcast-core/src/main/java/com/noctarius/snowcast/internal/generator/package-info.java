// SPDX-License-Identifier: Apache-2.0
/** Generates the IDs of one granted period of time, from one atomic word and without any cluster. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.generator;
