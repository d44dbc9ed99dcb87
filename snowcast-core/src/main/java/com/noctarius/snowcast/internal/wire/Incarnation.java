// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import java.util.List;
import java.util.Locale;

/** One incarnation of a name: from its creation to its destruction. */
public record Incarnation(Kind kind, String name, long number) {
    /** What a name stands for in the cluster. A sequencer and an integer sequence may have the same name. */
    public enum Kind {
        SEQUENCER,
        INTEGER_SEQUENCE;

        static final Form<Kind> FORM = Form.oneOf("kind", List.of(SEQUENCER, INTEGER_SEQUENCE));

        /** Returns it as users read it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    static final Form<Incarnation> FORM = RecordForm.of(
            Incarnation.class,
            field("kind", Kind.FORM),
            field("name", Form.NAME),
            field("number", SequencerForms.INCARNATION));

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
