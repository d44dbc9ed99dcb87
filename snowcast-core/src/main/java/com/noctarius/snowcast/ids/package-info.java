// SPDX-License-Identifier: Apache-2.0
/**
 * Tools for existing IDs: decoding, formats as text and UUID, bounds for a search by time, and public IDs, which reveal
 * neither when an ID was made nor how many there are.
 */
@NullMarked
package com.noctarius.snowcast.ids;

import org.jspecify.annotations.NullMarked;
