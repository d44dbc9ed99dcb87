// SPDX-License-Identifier: Apache-2.0
/** The life of a sequencer, told over a {@code Coordinator}: attach, extend, re-attach, detach, destroy. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.sequencer;
