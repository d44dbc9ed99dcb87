// SPDX-License-Identifier: Apache-2.0
/** What all replicated data of a name has in common, whatever the data is. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.replica;
