// SPDX-License-Identifier: Apache-2.0
/** IDs for the public, which tell neither when they were made nor how many there are. */
@NullMarked
package com.noctarius.snowcast.publicid;

import org.jspecify.annotations.NullMarked;
