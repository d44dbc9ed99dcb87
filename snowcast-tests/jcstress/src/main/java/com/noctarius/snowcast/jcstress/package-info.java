// SPDX-License-Identifier: Apache-2.0
/** Races between two threads that use one attachment or guard. jcstress runs each race many times. */
@NullMarked
package com.noctarius.snowcast.jcstress;

import org.jspecify.annotations.NullMarked;
