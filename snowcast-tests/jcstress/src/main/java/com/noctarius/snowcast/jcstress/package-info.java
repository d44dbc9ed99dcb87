// SPDX-License-Identifier: Apache-2.0
/** Races between two threads that use one attachment, run millions of times with jcstress. */
@NullMarked
package com.noctarius.snowcast.jcstress;

import org.jspecify.annotations.NullMarked;
