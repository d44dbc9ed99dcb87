// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

/** One incarnation of a name: from its creation to its destruction. */
public record Incarnation(Kind kind, String name, long number) {
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
