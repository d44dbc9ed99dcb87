// SPDX-License-Identifier: Apache-2.0
/**
 * IDs outside the program that made them: their parts, as text, as UUIDs, as the bounds of a search by time, and encrypted
 * for those who shall learn neither when an ID was made nor how many there are.
 */
@NullMarked
package com.noctarius.snowcast.ids;

import org.jspecify.annotations.NullMarked;
