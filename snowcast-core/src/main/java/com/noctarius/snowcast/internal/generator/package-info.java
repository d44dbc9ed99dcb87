// SPDX-License-Identifier: Apache-2.0
/** Generates the IDs of a granted period of time, by updates of one atomic word, without calls to the cluster. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.generator;
