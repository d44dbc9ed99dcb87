// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.status.ClusterStatus.Integers;
import com.noctarius.snowcast.status.ClusterStatus.Node;
import com.noctarius.snowcast.status.ClusterStatus.Sequencer;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A part of a status on its way to a client. What is written is read in the same order. */
final class StatusAnswer implements IdentifiedDataSerializable {
    /** Raised when the form changes; a reader refuses what it does not know. */
    private static final byte VERSION = 3;

    private @Nullable StatusPage page;

    /** Made to be read. */
    StatusAnswer() {}

    StatusAnswer(StatusPage page) {
        this.page = page;
    }

    StatusPage page() {
        return Objects.requireNonNull(page, "an answer is used after it was read");
    }

    private interface Writer<T> {
        void write(ObjectDataOutput out, T value) throws IOException;
    }

    private interface Reader<T> {
        T read(ObjectDataInput in) throws IOException;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        ClusterStatus written = page().status();
        out.writeByte(VERSION);
        write(out, written.time());
        write(out, written.sequencers(), StatusAnswer::write);
        write(out, written.integerSequences(), StatusAnswer::write);
        write(out, written.possibleDuplicates(), StatusAnswer::write);
        write(out, written.possibleDuplicateIntegers(), StatusAnswer::write);
        PageRequest next = page().next();
        out.writeBoolean(next != null);
        if (next != null) {
            next.write(out);
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        byte version = in.readByte();
        if (version != VERSION) {
            throw new IOException("status of version " + version + "; this snowcast reads version " + VERSION);
        }
        ClusterStatus status = new ClusterStatus(
                instant(in),
                list(in, StatusAnswer::sequencer),
                list(in, StatusAnswer::integers),
                list(in, StatusAnswer::possibleDuplicates),
                list(in, StatusAnswer::possibleDuplicateIntegers));
        page = new StatusPage(status, in.readBoolean() ? PageRequest.read(in) : null);
    }

    private static void write(ObjectDataOutput out, Sequencer sequencer) throws IOException {
        out.writeString(sequencer.name());
        out.writeLong(sequencer.epoch().getEpochOffset());
        out.writeByte(sequencer.layout().timestampBits());
        out.writeByte(sequencer.layout().logicalNodeBits());
        out.writeByte(sequencer.layout().counterBits());
        out.writeInt(sequencer.backupCount());
        Long startAbove = sequencer.startAbove();
        out.writeBoolean(startAbove != null);
        out.writeLong(startAbove == null ? 0 : startAbove);
        out.writeInt(sequencer.nodeIdCount());
        write(out, sequencer.nodes(), StatusAnswer::write);
        out.writeInt(sequencer.attachedCount());
        out.writeInt(sequencer.expiringCount());
        out.writeInt(sequencer.maxNodeCount());
    }

    private static Sequencer sequencer(ObjectDataInput in) throws IOException {
        String name = string(in);
        SnowcastEpoch epoch = SnowcastEpoch.byTimestamp(in.readLong());
        SnowcastLayout layout = new SnowcastLayout(in.readByte(), in.readByte(), in.readByte());
        int backupCount = in.readInt();
        boolean hasStart = in.readBoolean();
        long startAbove = in.readLong();
        return new Sequencer(
                name,
                epoch,
                layout,
                backupCount,
                hasStart ? startAbove : null,
                in.readInt(),
                list(in, StatusAnswer::node),
                in.readInt(),
                in.readInt(),
                in.readInt());
    }

    private static void write(ObjectDataOutput out, Node node) throws IOException {
        out.writeInt(node.id());
        out.writeBoolean(node.isAttached());
        out.writeString(node.holder());
        write(out, node.until());
    }

    private static Node node(ObjectDataInput in) throws IOException {
        return new Node(in.readInt(), in.readBoolean(), string(in), instant(in));
    }

    private static void write(ObjectDataOutput out, Integers integers) throws IOException {
        out.writeString(integers.name());
        out.writeLong(integers.firstValue());
        out.writeLong(integers.lastValue());
        out.writeInt(integers.backupCount());
        out.writeBoolean(integers.isInClusterOrder());
        out.writeLong(integers.highest());
        out.writeLong(integers.remaining());
        Instant lostSince = integers.lostSince();
        out.writeBoolean(lostSince != null);
        write(out, Objects.requireNonNullElse(lostSince, Instant.EPOCH));
    }

    private static Integers integers(ObjectDataInput in) throws IOException {
        String name = string(in);
        long firstValue = in.readLong();
        long lastValue = in.readLong();
        int backupCount = in.readInt();
        boolean isInClusterOrder = in.readBoolean();
        long highest = in.readLong();
        long remaining = in.readLong();
        boolean isLost = in.readBoolean();
        Instant lostSince = instant(in);
        return new Integers(
                name,
                firstValue,
                lastValue,
                backupCount,
                isInClusterOrder,
                highest,
                remaining,
                isLost ? lostSince : null);
    }

    private static void write(ObjectDataOutput out, PossibleDuplicates found) throws IOException {
        out.writeString(found.sequencerName());
        out.writeInt(found.logicalNodeId());
        write(out, found.from());
        write(out, found.to());
    }

    private static PossibleDuplicates possibleDuplicates(ObjectDataInput in) throws IOException {
        return new PossibleDuplicates(string(in), in.readInt(), instant(in), instant(in));
    }

    private static void write(ObjectDataOutput out, PossibleDuplicateIntegers found) throws IOException {
        out.writeString(found.sequenceName());
        out.writeLong(found.first());
        out.writeLong(found.last());
    }

    private static PossibleDuplicateIntegers possibleDuplicateIntegers(ObjectDataInput in) throws IOException {
        return new PossibleDuplicateIntegers(string(in), in.readLong(), in.readLong());
    }

    private static void write(ObjectDataOutput out, Instant instant) throws IOException {
        out.writeLong(instant.toEpochMilli());
    }

    private static Instant instant(ObjectDataInput in) throws IOException {
        return Instant.ofEpochMilli(in.readLong());
    }

    private static String string(ObjectDataInput in) throws IOException {
        return Objects.requireNonNull(in.readString(), "no text is missing");
    }

    private static <T> void write(ObjectDataOutput out, List<T> values, Writer<T> each) throws IOException {
        out.writeInt(values.size());
        for (T value : values) {
            each.write(out, value);
        }
    }

    private static <T> List<T> list(ObjectDataInput in, Reader<T> each) throws IOException {
        int count = in.readInt();
        List<T> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(each.read(in));
        }
        return values;
    }

    @Override
    public int getFactoryId() {
        return ClassIds.FACTORY;
    }

    @Override
    public int getClassId() {
        return ClassIds.STATUS_ANSWER;
    }
}
