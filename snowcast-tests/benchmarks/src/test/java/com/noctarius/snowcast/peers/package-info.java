// SPDX-License-Identifier: Apache-2.0
@NullMarked
package com.noctarius.snowcast.peers;

import org.jspecify.annotations.NullMarked;
