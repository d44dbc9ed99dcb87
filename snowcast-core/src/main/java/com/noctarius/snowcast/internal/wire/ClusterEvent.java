// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What every member, and every client that listens, is sent. */
public sealed interface ClusterEvent {
    /**
     * One incarnation of a name was destroyed. A request to destroy it has the same content.
     *
     * @param number of the incarnation
     */
    record Destroyed(Kind kind, String name, long number) implements ClusterEvent {
        static final Form<Destroyed> FORM = RecordForm.of(
                Destroyed.class,
                field("kind", Kind.FORM),
                field("name", Form.NAME),
                field("number", SequencerForms.INCARNATION));

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

        /** Returns what is destroyed, in words. */
        public String subject() {
            return kind + " " + name;
        }

        @Override
        public String toString() {
            return subject() + " was destroyed";
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

        /** Returns the newest findings of either kind, at most so many. */
        public DuplicatesReported with(DuplicatesReported more, int atMost) {
            return new DuplicatesReported(newest(ids, more.ids, atMost), newest(integers, more.integers, atMost));
        }

        private static <T> List<T> newest(List<T> before, List<T> more, int atMost) {
            return Stream.concat(before.stream(), more.stream())
                    .skip(Math.max(0, before.size() + more.size() - atMost))
                    .toList();
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
