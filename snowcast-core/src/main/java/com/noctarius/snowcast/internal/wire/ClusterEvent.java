// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import java.util.List;

/** What every member, and every client that listens, is sent. */
public sealed interface ClusterEvent {
    /** A sequencer or an integer sequence was destroyed. */
    record Destroyed(Incarnation incarnation) implements ClusterEvent {
        private static final Form<Destroyed> FORM =
                RecordForm.of(Destroyed.class, field("incarnation", Incarnation.FORM));

        @Override
        public String toString() {
            return incarnation + " was destroyed";
        }
    }

    /** A merge found IDs or integers that may exist twice. */
    record DuplicatesReported(List<PossibleDuplicates> ids, List<PossibleDuplicateIntegers> integers)
            implements ClusterEvent {
        static final Form<DuplicatesReported> FORM = RecordForm.of(
                DuplicatesReported.class,
                field("ids", SequencerForms.POSSIBLE_DUPLICATES.list()),
                field("integers", IntegerForms.POSSIBLE_DUPLICATES.list()));

        public DuplicatesReported {
            ids = List.copyOf(ids);
            integers = List.copyOf(integers);
        }
    }

    /** An event of any kind: the kind, then what it says. Kinds keep their numbers forever. */
    Form<ClusterEvent> FORM = new Form<>(
            (out, event) -> {
                if (event instanceof Destroyed destroyed) {
                    out.writeByte(1);
                    Destroyed.FORM.write(out, destroyed);
                } else if (event instanceof DuplicatesReported reported) {
                    out.writeByte(2);
                    DuplicatesReported.FORM.write(out, reported);
                }
            },
            in -> in.small("the kind of an event", 1, 2) == 1
                    ? in.value(Destroyed.FORM)
                    : in.value(DuplicatesReported.FORM));
}
