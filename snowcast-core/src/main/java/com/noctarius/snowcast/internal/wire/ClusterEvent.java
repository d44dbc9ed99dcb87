// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.Form.field;

import com.noctarius.snowcast.PossibleDuplicates;
import java.util.List;

/** An event that the cluster sends to every member and to every listening client. */
public sealed interface ClusterEvent {
    /** The incarnation {@code number} of a name was destroyed. A {@link RequestType#DESTROY} has the same content. */
    record Destroyed(String name, long number) implements ClusterEvent {
        static final Form<Destroyed> FORM =
                Form.ofRecord(Destroyed.class, field("name", Form.NAME), field("number", Forms.INCARNATION));

        /** Returns the name for messages; says "sequencer" even for a node lease. */
        public String subject() {
            return "sequencer " + name;
        }

        @Override
        public String toString() {
            return subject() + " was destroyed";
        }
    }

    /** A merge has found IDs that may exist twice. */
    record DuplicatesReported(List<PossibleDuplicates> ids) implements ClusterEvent {
        static final Form<DuplicatesReported> FORM =
                Form.ofRecord(DuplicatesReported.class, field("ids", Forms.POSSIBLE_DUPLICATES.list()));

        public DuplicatesReported {
            ids = List.copyOf(ids);
        }
    }

    /** The wire format of an event: the number of its kind, which never changes, then its content. */
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
