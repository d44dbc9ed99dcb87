// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

/** One life of the name of a sequencer or integer sequence, from its creation to its destruction. */
public record Life(String name, long incarnation) {
    static final Form<Life> FORM =
            RecordForm.of(Life.class, field("name", Form.NAME), field("incarnation", SequencerForms.INCARNATION));
}
