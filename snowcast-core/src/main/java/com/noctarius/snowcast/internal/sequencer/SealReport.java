// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import com.noctarius.snowcast.internal.table.Token;

/**
 * What a sealed holder says of its grant.
 *
 * @param token the grant
 * @param lastMillis the highest timestamp that may have been used
 */
public record SealReport(Token token, long lastMillis) {}
