// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.Form.field;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot.ContainerState;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.HighWaterMark.State;
import com.noctarius.snowcast.internal.owner.Lifecycle;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableHeader;
import com.noctarius.snowcast.internal.vote.Electorate.Standing;
import com.noctarius.snowcast.internal.vote.Electorate.Vote;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.status.ClusterStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that each form of a message reads what it has written, and that other bytes cause no failure except a
 * rejection.
 */
class RequestTypeTest {
    private static final InternalSerializationService SERIALIZATION = new DefaultSerializationServiceBuilder().build();
    private static final UUID HOLDER = new UUID(3, 5);
    private static final Token TOKEN = new Token(Long.MIN_VALUE, 7, HOLDER);
    private static final Definition DEFINITION = new Definition(1_700_000_000_000L, SnowcastLayout.POSITIVE, 6, -2L);
    private static final Definition NODE_LEASE = new Definition(0, new SnowcastLayout(42, 16, 0), 2, null, 65_536);

    private static final Instant NOW = Instant.parse("2026-11-21T06:45:46.821Z");
    private static final ClusterStatus STATUS = new ClusterStatus(
            NOW,
            List.of(
                    new ClusterStatus.Sequencer(
                            "orders",
                            SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")),
                            SnowcastLayout.DEFAULT,
                            6,
                            -1L,
                            8_192,
                            List.of(
                                    new ClusterStatus.Node(0, true, "member 10.0.0.5:5701", NOW),
                                    new ClusterStatus.Node(8_191, false, "unknown", NOW.plusMillis(1))),
                            7_000,
                            8,
                            16),
                    new ClusterStatus.Sequencer(
                            "bills",
                            SnowcastEpoch.byTimestamp(-1),
                            SnowcastLayout.JAVASCRIPT,
                            0,
                            null,
                            0,
                            List.of(),
                            0,
                            0,
                            0)),
            10_002,
            List.of(),
            List.of(new PossibleDuplicates("orders", -1, NOW, NOW.plusSeconds(1))));

    private record Sample<T>(String name, Form<T> form, T value) {
        byte[] bytes() throws IOException {
            return RequestTypeTest.bytes(form, value);
        }

        T read(byte[] bytes) {
            return RequestTypeTest.read(form, bytes);
        }

        void requireReadAsWritten() throws IOException {
            assertThat(read(bytes())).isEqualTo(value);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static <T> byte[] bytes(Form<T> form, T value) throws IOException {
        BufferObjectDataOutput out = SERIALIZATION.createObjectDataOutput();
        out.writeByte(WireInput.VERSION);
        form.write(out, value);
        return out.toByteArray();
    }

    private static <T> T read(Form<T> form, byte[] bytes) {
        return WireInput.read(SERIALIZATION.createObjectDataInput(bytes), "a sample", form.reader());
    }

    private static <Q, A> Stream<Sample<?>> of(RequestType<Q, A> call, Q request, A answer) {
        return Stream.of(
                new Sample<>(call + " asked", call.request(), request),
                new Sample<>(call + " answered", call.answer(), answer));
    }

    static Stream<Sample<?>> samples() {
        AttachRequest attach = new AttachRequest("orders", DEFINITION, 3, HOLDER, 9, 1_700_000_000_001L, 60_000, -1);
        RenewRequest renew = new RenewRequest("orders", DEFINITION, 3, 1_023, TOKEN, 99, 98, 0);
        NodeState node = new NodeState(8_191, 4, TOKEN, 5, 6, 7, true);
        Snapshot table = new Snapshot(
                Snapshot.Kind.CHANGE,
                new TableHeader(new Lifecycle("orders", DEFINITION, 3, 2, 12), 11, 13, -1, 14),
                16,
                17,
                List.of(node, node));
        Snapshot unknown = new Snapshot(
                Snapshot.Kind.INCOMPLETE, new TableHeader(Lifecycle.unused("bills"), 0, 0, 0, 0), 0, 0, List.of());
        Peer peer = new Peer(
                new Vote(5, true, Standing.KNOWS, 3, 8),
                new Peer.Setup("0-8191", 3, 4, 5, "quorum", 2, true, 3),
                new HighWaterMark(5, 4, State.CLOSED),
                true,
                6,
                7);
        DuplicatesReported duplicates = new DuplicatesReported(
                List.of(new PossibleDuplicates("orders", -1, Instant.ofEpochMilli(1), Instant.ofEpochMilli(2))));
        return Stream.of(
                        of(RequestType.ATTACH, attach, Optional.of(new Grant(3, 1_023, TOKEN, 5, 6, 7))),
                        of(RequestType.ATTACH, attach, Optional.empty()),
                        of(
                                RequestType.RENEW,
                                List.of(renew, renew, renew),
                                List.of(
                                        RenewReply.REFUSED,
                                        new RenewReply(RenewReply.Outcome.RENEWED, 5),
                                        new RenewReply(RenewReply.Outcome.DESTROYED, 0))),
                        of(RequestType.DETACH, List.of(new DetachRequest("orders", 0, TOKEN, 5)), List.of(true)),
                        of(RequestType.DESTROY, new Destroyed("orders", 3), true),
                        of(RequestType.LISTEN, true, HOLDER),
                        of(RequestType.DESTROY, new Destroyed("numbers", 1), false),
                        of(
                                RequestType.MERGE,
                                new ContainerSnapshot.Losing(
                                        15, new ContainerSnapshot(ContainerState.COMPLETE, 3, List.of(table, unknown))),
                                duplicates),
                        of(RequestType.MAKE_CONTAINER, RequestType.Nothing.NOTHING, RequestType.Nothing.NOTHING),
                        of(RequestType.PEER, Optional.of(HOLDER), peer),
                        of(RequestType.FIND, "orders", Optional.of(DEFINITION)),
                        of(RequestType.FIND, "orders", Optional.empty()),
                        of(RequestType.FIND, "workers", Optional.of(NODE_LEASE)),
                        of(
                                RequestType.STATUS,
                                RequestType.Nothing.NOTHING,
                                new ContainerSnapshot(new ContainerState(7, 5), 4, List.of(table, unknown))),
                        of(RequestType.CLUSTER_STATUS, RequestType.Nothing.NOTHING, STATUS),
                        of(
                                RequestType.COUNT,
                                List.of("orders", "bills"),
                                List.of(Optional.of(new NodeIdCounts(7_000, 8, 8_192)), Optional.empty())),
                        Stream.<Sample<?>>of(
                                new Sample<>("a call", RequestType.FORM, RequestType.PEER),
                                new Sample<>("a destruction", ClusterEvent.FORM, new Destroyed("orders", 3)),
                                new Sample<>("duplicates", ClusterEvent.FORM, duplicates)))
                .flatMap(stream -> stream);
    }

    @Test
    void fieldsThatAreNotTheComponentsOfTheirRecordInItsOrderAreRefused() {
        assertThatThrownBy(() ->
                        Form.ofRecord(Destroyed.class, field("number", Forms.INCARNATION), field("name", Form.NAME)))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("must be [name, number]: [number, name]");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void whatIsWrittenIsReadAsItWas(Sample<?> sample) throws IOException {
        sample.requireReadAsWritten();
    }

    /**
     * Members with the same wire version must understand each other. A line of {@code messages.txt} may change only
     * together with {@link WireInput#VERSION}.
     */
    @Test
    void bytesAreThoseOfTheWireVersion() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Sample<?> sample : samples().toList()) {
            lines.add(sample + ": " + HexFormat.of().formatHex(sample.bytes()));
        }
        try (InputStream expected = requireNonNull(RequestTypeTest.class.getResourceAsStream("messages.txt"))) {
            assertThat(String.join("\n", lines) + "\n").isEqualTo(new String(expected.readAllBytes(), UTF_8));
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void whatEndsEarlyIsRefused(Sample<?> sample) throws IOException {
        byte[] bytes = sample.bytes();
        int least = sample.value instanceof RequestType.Nothing ? 1 : bytes.length;
        for (int length = 0; length < least; length++) {
            byte[] shorter = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> sample.read(shorter))
                    .as("the first %s bytes of %s", length, bytes.length)
                    .isInstanceOf(HazelcastSerializationException.class)
                    .hasMessageStartingWith("a sample cannot be read, at byte ");
        }
    }

    /** At each position except the first, a count, a length or a number may begin: changes up to four bytes there. */
    @ParameterizedTest
    @MethodSource("samples")
    void whateverBytesAreChangedNothingButAValueOrARefusalComesOut(Sample<?> sample) throws IOException {
        byte[] bytes = sample.bytes();
        for (int at = 1; at < bytes.length; at++) {
            for (byte value : new byte[] {0, 1, 0x7F, -1, -128}) {
                byte[] changed = bytes.clone();
                Arrays.fill(changed, at, Math.min(at + Integer.BYTES, changed.length), value);
                requireValueOrRefusal(sample, changed);
                changed[at] = 0x7F; // After bytes of -1, this makes the greatest int.
                requireValueOrRefusal(sample, changed);
            }
        }
    }

    private static void requireValueOrRefusal(Sample<?> sample, byte[] changed) {
        assertThatCode(() -> {
                    try {
                        sample.read(changed);
                    } catch (HazelcastSerializationException e) {
                        assertThat(e).hasMessageStartingWith("a sample cannot be read, at byte ");
                    }
                })
                .doesNotThrowAnyException();
    }

    @Test
    void anotherVersionIsRefused() throws IOException {
        byte[] bytes = bytes(Destroyed.FORM, new Destroyed("orders", 1));
        for (byte version : new byte[] {0, WireInput.VERSION + 1, -1}) {
            bytes[0] = version;
            assertThatThrownBy(() -> read(Destroyed.FORM, bytes))
                    .isInstanceOf(HazelcastSerializationException.class)
                    .hasMessage("a sample cannot be read, at byte 1 of " + bytes.length
                            + ": this version of snowcast reads version 1 of its wire format, not "
                            + version);
        }
    }

    @Test
    void aBatchHasAMaximum() throws IOException {
        List<DetachRequest> most = Collections.nCopies(RequestType.MAX_BATCH_SIZE, new DetachRequest("a", 0, TOKEN, 0));
        List<DetachRequest> more =
                Collections.nCopies(RequestType.MAX_BATCH_SIZE + 1, new DetachRequest("a", 0, TOKEN, 0));
        Form<List<DetachRequest>> form = RequestType.DETACH.request();

        assertThat(read(form, bytes(form, most))).isEqualTo(most);
        assertThatThrownBy(() -> read(form, bytes(form, more)))
                .hasMessageEndingWith("the count of a list must be 0 to 1000: 1001");
    }

    @Test
    void aCountAboveTheBytesThatAreLeftIsRefused() throws IOException {
        byte[] bytes = bytes(RequestType.MERGE.answer(), new DuplicatesReported(List.of()));
        bytes[1] = 0x7F;

        assertThatThrownBy(() -> read(RequestType.MERGE.answer(), bytes))
                .hasMessage("a sample cannot be read, at byte 5 of 5: the count of a list must be 0 to 0: 2130706432");
    }

    @Test
    void theLengthOfANameIsCheckedBeforeItIsRead() throws IOException {
        for (String name : List.of("a".repeat(1_000_000), "\ud83d\ude80".repeat(1_000))) {
            requireRefused(
                    Destroyed.FORM,
                    new Destroyed(name, 1),
                    "the length of a name must be 0 to 765: " + name.getBytes(UTF_8).length);
        }
        byte[] bytes = bytes(Destroyed.FORM, new Destroyed("a", 1));
        for (int length : new int[] {-1, Integer.MIN_VALUE, 10, Integer.MAX_VALUE}) {
            ByteBuffer.wrap(bytes).putInt(1, length);
            assertThatThrownBy(() -> read(Destroyed.FORM, bytes))
                    .hasMessage(
                            "a sample cannot be read, at byte 5 of 14: the length of a name must be 0 to 9: " + length);
        }
        String longest = "\ud83d\ude80\u4e16".repeat(85);
        assertThat(read(Destroyed.FORM, bytes(Destroyed.FORM, new Destroyed(longest, 1))))
                .isEqualTo(new Destroyed(longest, 1));
    }

    @Test
    void aNameThatIsNoUtf8IsRefused() throws IOException {
        byte[] bytes = bytes(Destroyed.FORM, new Destroyed("abc", 1));
        bytes[6] = (byte) 0xFF;

        assertThatThrownBy(() -> read(Destroyed.FORM, bytes))
                .isInstanceOf(HazelcastSerializationException.class)
                .hasMessageStartingWith("a sample cannot be read, at byte 8 of 16: ");
    }

    @Test
    void aFlagIsZeroOrOne() throws IOException {
        byte[] bytes = bytes(Form.BOOLEAN, true);
        bytes[1] = 2;

        assertThatThrownBy(() -> read(Form.BOOLEAN, bytes)).hasMessageEndingWith(": a flag must be 0 to 1: 2");
    }

    @Test
    void bytesBehindTheEndOfAClientsMessageAreRefused() throws IOException {
        BufferObjectDataOutput out = SERIALIZATION.createObjectDataOutput();
        new ClientEnvelope<>(HOLDER, true).write(out, Form.BOOLEAN);
        byte[] bytes = out.toByteArray();
        Form.Reader<ClientEnvelope<Boolean>> reader = ClientEnvelope.reader(Form.BOOLEAN);

        assertThat(WireInput.read(SERIALIZATION.createObjectDataInput(bytes), "a", reader)
                        .content())
                .isTrue();
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 3);
        assertThatThrownBy(() -> WireInput.read(SERIALIZATION.createObjectDataInput(longer), "a", reader))
                .isInstanceOf(HazelcastSerializationException.class)
                .hasMessageEndingWith(": the number of bytes behind the end must be 0 to 0: 3");
    }

    /** If reading a message throws an error, it must neither end a thread of the member nor leave a client waiting. */
    @Test
    void anErrorWhileReadingIsARefusal() {
        for (Error error : List.of(new StackOverflowError(), new OutOfMemoryError("Java heap space"))) {
            Form.Reader<String> failing = input -> {
                throw error;
            };
            ObjectDataInput in = SERIALIZATION.createObjectDataInput(new byte[] {1, 2});
            assertThatThrownBy(() -> WireInput.read(in, "a", failing))
                    .isInstanceOf(HazelcastSerializationException.class)
                    .hasMessageStartingWith("a cannot be read, at byte 1 of 2: ")
                    .hasCause(error);
        }
    }

    @Test
    void valuesOutOfTheirRangesAreRefused() throws IOException {
        requireRefused(Destroyed.FORM, new Destroyed("orders", -1), "incarnation must be 0 to 9223372036854775807: -1");
        requireRefused(Destroyed.FORM, new Destroyed("", 1), "name must not be blank: \"\"");
        requireRefused(
                Destroyed.FORM,
                new Destroyed("a\0b", 1),
                "name must have no control, format or line-separating characters and no halves of surrogate pairs: U+0000 at index 1");
        requireRefused(
                Destroyed.FORM,
                new Destroyed("a".repeat(256), 1),
                "name must have 1 to 255 characters, not 256: aaaaaaaaaaaaaaaaaaaa…");
        requireRefused(
                Forms.DETACH_REQUEST,
                new DetachRequest("orders", 65_536, TOKEN, 0),
                "logicalNodeId must be 0 to 65535: 65536");
        requireRefused(
                Forms.DETACH_REQUEST,
                new DetachRequest("orders", -5, TOKEN, 0),
                "logicalNodeId must be 0 to 65535: -5");
        for (int backupCount : new int[] {-128, -1, 7, 127}) {
            requireRefused(
                    Forms.ATTACH_REQUEST,
                    new AttachRequest(
                            "a", new Definition(0, SnowcastLayout.DEFAULT, backupCount, null), 0, HOLDER, 1, 0, 0, -1),
                    "backupCount must be 0 to 6: " + backupCount);
        }
        byte[] narrow = bytes(Forms.DEFINITION, new Definition(0, new SnowcastLayout(42, 16, 0), 1, null, 65_536));
        narrow[10] = 3;
        requireRefused(Forms.DEFINITION, narrow, "leasedNodeCount must be 0, or 2 to 8 with layout 42/3/0: 65536");
    }

    private static <T> void requireRefused(Form<T> form, T value, String message) throws IOException {
        requireRefused(form, bytes(form, value), message);
    }

    private static void requireRefused(Form<?> form, byte[] bytes, String message) {
        assertThatThrownBy(() -> read(form, bytes))
                .isInstanceOf(HazelcastSerializationException.class)
                .hasMessageEndingWith(": " + message);
    }

    @Test
    void theMessagesOfClientsKeepTheirTypes() {
        assertThat(RequestType.OF_CLIENTS.stream().map(call -> call + " " + Integer.toHexString(call.requestType())))
                .containsExactly(
                        "ATTACH e70100",
                        "DETACH e70200",
                        "RENEW e70300",
                        "DESTROY e70400",
                        "LISTEN e70500",
                        "CLUSTER_STATUS e70b00",
                        "COUNT e70c00");
    }
}
