// SPDX-License-Identifier: Apache-2.0
/**
 * Tools for IDs outside the program that made them: decoding, formats as text and UUID, the bounds of a search by time,
 * and public IDs, which reveal neither when an ID was made nor how many there are.
 */
@NullMarked
package com.noctarius.snowcast.ids;

import org.jspecify.annotations.NullMarked;
