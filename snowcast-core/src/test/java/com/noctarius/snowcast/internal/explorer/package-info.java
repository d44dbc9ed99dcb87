// SPDX-License-Identifier: Apache-2.0
/** Visits every state that the protocol can reach in small scopes, and looks for an ID that is issued twice. */
@NullMarked
package com.noctarius.snowcast.internal.explorer;

import org.jspecify.annotations.NullMarked;
