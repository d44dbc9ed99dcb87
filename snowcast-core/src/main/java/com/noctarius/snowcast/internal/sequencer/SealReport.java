// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import java.util.UUID;

/**
 * What a sealed holder says of all its grants of the destroyed incarnation, those under way included.
 *
 * @param holder who says it
 * @param lastMillis the highest timestamp that may have been used, or -1
 */
public record SealReport(UUID holder, long lastMillis) {}
