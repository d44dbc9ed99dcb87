// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.EPOCH_OFFSET;
import static com.noctarius.snowcast.internal.generator.AttachmentBuilder.START;

import org.junit.jupiter.api.Tag;

/** Tests an attachment within one millisecond, in which no call has to wait. */
@Tag("faults")
public class AttachmentLincheckTest extends SealableCounterLincheck {
    public AttachmentLincheckTest() {
        super(stoppedAt(EPOCH_OFFSET + START), FromTheBeginning.class);
    }

    public static final class FromTheBeginning extends SealableCounter {
        public FromTheBeginning() {
            super((START << LAYOUT.counterBits()) - 1);
        }
    }
}
