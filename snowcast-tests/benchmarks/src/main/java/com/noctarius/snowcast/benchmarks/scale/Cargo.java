// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot.ContainerState;
import com.noctarius.snowcast.internal.owner.Decision;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.ReplicaForms;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The content of the messages of a {@link NoOp}. */
enum Cargo {
    NOTHING {
        @Override
        void writeContent(ObjectDataOutput out, Message<?> message) {}

        @Override
        void readContent(ObjectDataInput in, Message<?> message) {}
    },

    /** As many bytes as the messages of an attach have. */
    BYTES {
        @Override
        void writeContent(ObjectDataOutput out, Message<?> message) throws IOException {
            out.write(new byte[message.length]);
        }

        @Override
        void readContent(ObjectDataInput in, Message<?> message) throws IOException {
            in.readFully(new byte[message.length]);
        }
    },

    /** The same values as in the messages of an attach. */
    VALUES {
        @Override
        void writeContent(ObjectDataOutput out, Message<?> message) throws IOException {
            message.write(out);
        }

        @Override
        void readContent(ObjectDataInput in, Message<?> message) {
            message.read(in);
        }
    };

    private static final List<Cargo> ALL = List.of(NOTHING, BYTES, VALUES);

    final void write(ObjectDataOutput out, Message<?> message) throws IOException {
        out.writeByte(ALL.indexOf(this));
        writeContent(out, message);
    }

    static Cargo read(ObjectDataInput in, Message<?> message) throws IOException {
        Cargo cargo = ALL.get(in.readByte());
        cargo.readContent(in, message);
        return cargo;
    }

    abstract void writeContent(ObjectDataOutput out, Message<?> message) throws IOException;

    abstract void readContent(ObjectDataInput in, Message<?> message) throws IOException;

    /** A sample of the request, the answer or the backup of an attach. */
    static final class Message<T> {
        static final Message<?> REQUEST;
        static final Message<?> ANSWER;
        static final Message<?> BACKUP;

        private static final long NOW = 1_700_000_000_000L;
        private static final TableRules RULES =
                new TableRules(300_000, 60_000, 480_000, 0, SnowcastLayout.MAX_LOGICAL_NODE_COUNT - 1);

        static {
            // The holder has released its node ID and attaches again, as in the last step of Steps.
            ReplicatedTable replica = new ReplicatedTable("sequencer", 1);
            NodeTable table = replica.table();
            UUID holder = UUID.randomUUID();
            Grant former = Objects.requireNonNull(
                    table.attach(request(0, holder, 1), NOW, RULES).answer().orElse(null));
            table.detach(new DetachRequest("sequencer", former.logicalNodeId(), former.token(), former.floor()));
            AttachRequest request = request(former.incarnation(), holder, 2);
            Decision<Optional<Grant>> decision = table.attach(request, NOW, RULES);
            Grant grant = Objects.requireNonNull(decision.answer().orElse(null));
            Snapshot change = replica.change(Objects.requireNonNull(decision.changed()));
            REQUEST = new Message<>(RequestType.ATTACH.request(), request);
            ANSWER = new Message<>(RequestType.ATTACH.answer(), Optional.of(grant));
            BACKUP = new Message<>(
                    ReplicaForms.CONTAINER, new ContainerSnapshot(ContainerState.COMPLETE, 1, List.of(change)));
        }

        private static AttachRequest request(long incarnation, UUID holder, long number) {
            Definition definition = new Definition(1_500_000_000_000L, new SnowcastLayout(41, 13, 9), 1, null);
            return new AttachRequest("sequencer", definition, incarnation, holder, number, NOW, 0, 0);
        }

        private final Form<T> form;
        private final T sample;
        final int length;

        private Message(Form<T> form, T sample) {
            this.form = form;
            this.sample = sample;
            InternalSerializationService service = new DefaultSerializationServiceBuilder().build();
            try (BufferObjectDataOutput out = service.createObjectDataOutput()) {
                write(out);
                this.length = out.toByteArray().length;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                service.dispose();
            }
        }

        private void write(ObjectDataOutput out) throws IOException {
            out.writeByte(WireInput.VERSION);
            form.write(out, sample);
        }

        private void read(ObjectDataInput in) {
            WireInput.read(in, "a sample", input -> input.value(form));
        }
    }
}
