// SPDX-License-Identifier: Apache-2.0
/**
 * IDs outside the program that made them: their parts, their forms as text and UUID, the bounds of a search by time,
 * and public IDs, which show neither when an ID was made nor how many there are.
 */
@NullMarked
package com.noctarius.snowcast.ids;

import org.jspecify.annotations.NullMarked;
