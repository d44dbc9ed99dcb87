// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.HighWaterMark.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HighWaterMarkFileTest {
    private static final long DAY = 86_400_000;
    private static final HighWaterMark MARK = new HighWaterMark(1_700_000_123_456L, 1_700_000_000_000L, State.OPEN);

    @TempDir
    private Path directory;

    private Path path;
    private HighWaterMarkFile file;

    @BeforeEach
    void prepare() {
        path = directory.resolve("member.high-water-mark");
        file = new HighWaterMarkFile(path);
    }

    private static String crc(String content) {
        CRC32 crc = new CRC32();
        crc.update(content.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }

    private void requireRefused(String how) {
        assertThatThrownBy(file::read)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the high-water mark " + path + " is damaged (" + how)
                .hasMessageEndingWith("Never restore an older copy, whose mark is too low");
    }

    @Test
    void noFileIsNoMark() throws IOException {
        assertThat(file.read()).isNull();
    }

    @Test
    void whatWasWrittenLastIsRead() throws IOException {
        for (HighWaterMark mark : new HighWaterMark[] {
            MARK,
            new HighWaterMark(7, Long.MAX_VALUE, State.CLOSED),
            HighWaterMark.NONE,
            new HighWaterMark(366 * DAY, 0, State.OPEN)
        }) {
            file.write(mark);

            assertThat(new HighWaterMarkFile(path).read()).isEqualTo(mark);
        }
    }

    /** If a mark in the far future were accepted, the cluster would grant nothing until then. */
    @Test
    void aMarkThatNoClusterCanHaveMadeIsRefused() throws IOException {
        for (HighWaterMark mark : new HighWaterMark[] {
            new HighWaterMark(366 * DAY + 1, 0, State.OPEN),
            new HighWaterMark(Long.MAX_VALUE, MARK.writtenMillis(), State.CLOSED),
            new HighWaterMark(Long.MAX_VALUE, -1, State.CLOSED),
            new HighWaterMark(-1, 5, State.CLOSED)
        }) {
            file.write(mark);

            requireRefused(mark + " is negative or lies over 366 days after it was written");
        }
    }

    @Test
    void peopleCanReadIt() throws IOException {
        file.write(MARK);

        assertThat(path).content().startsWith("""
                snowcast high-water mark 1
                until-millis=1700000123456
                written-millis=1700000000000
                state=OPEN
                crc32=""");
    }

    @Test
    void nothingElseIsLeftBehind() throws IOException {
        file.write(MARK);
        file.write(MARK);

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(path);
        }
    }

    /** A crash during a write may leave an incomplete {@code .next} file. The mark itself is still the former one. */
    @Test
    void whatACrashLeftOfAWriteChangesNothing() throws IOException {
        file.write(MARK);
        Files.writeString(directory.resolve("member.high-water-mark.next"), "snowcast high-water mark 1\nuntil-mil");

        assertThat(file.read()).isEqualTo(MARK);
        file.write(HighWaterMark.NONE);
        assertThat(file.read()).isEqualTo(HighWaterMark.NONE);
    }

    @Test
    void everyTruncationIsRefused() throws IOException {
        file.write(MARK);
        byte[] whole = Files.readAllBytes(path);
        for (int length = 0; length < whole.length - 1; length++) {
            Files.write(path, Arrays.copyOf(whole, length));

            assertThatThrownBy(file::read).as("%d bytes", length).hasMessageContaining(path + " is damaged");
        }
    }

    @Test
    void everyFlippedBitIsRefused() throws IOException {
        file.write(MARK);
        byte[] whole = Files.readAllBytes(path);
        for (int bit = 0; bit < (whole.length - 1) * Byte.SIZE; bit++) {
            byte[] damaged = whole.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            Files.write(path, damaged);

            assertThatThrownBy(file::read).as("bit %d", bit).hasMessageContaining(path + " is damaged");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "snowcast high-water mark 2\na\nb\nc\nd\n",
                "snowcast high-water mark 1\na\nb\nc\nd\ne\n"
            })
    void aFileOfAnotherKindIsRefused(String content) throws IOException {
        Files.writeString(path, content);

        requireRefused("it is not a file of that kind)");
    }

    @Test
    void whatIsNoRegularFileIsRefused() throws IOException {
        String how = "it is a link, a directory or a device, and no regular file)";
        Files.createDirectory(path);
        requireRefused(how);

        Path elsewhere = directory.resolve("elsewhere");
        Files.delete(path);
        Files.createSymbolicLink(path, elsewhere);
        requireRefused(how); // A link to nothing is not the same as no file.
        new HighWaterMarkFile(elsewhere).write(MARK);
        requireRefused(how);
    }

    @Test
    void noMoreIsReadThanAFloorCanBeLong() throws IOException {
        Files.write(path, new byte[4_096]);
        requireRefused("it is not a file of that kind)");
        Files.write(path, new byte[4_097]);
        requireRefused("it is longer than 4096 bytes)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"member.high-water-mark", "member.high-water-mark.next"})
    void aLinkInPlaceOfAFileIsReplacedAndWhatItLeadsToStays(String link) throws IOException {
        Path elsewhere = Files.writeString(directory.resolve("elsewhere"), "keep me");
        Files.createSymbolicLink(directory.resolve(link), elsewhere);
        file.write(MARK);

        assertThat(elsewhere).hasContent("keep me");
        assertThat(file.read()).isEqualTo(MARK);
    }

    @Test
    void onlyItsOwnerReadsAndWritesIt() throws IOException {
        assumeThat(directory.getFileSystem().supportedFileAttributeViews()).contains("posix");
        file.write(MARK);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
    }

    @ParameterizedTest
    @CsvSource({
        "until=1, written-millis=1, state=CLOSED",
        "until-millis=1, state=CLOSED, state=CLOSED",
        "until-millis=1, written-millis=1, closed=true",
        "until-millis=1, written-millis=1, state=SHUT",
        "until-millis=soon, written-millis=1, state=CLOSED",
        "until-millis=1, written-millis=, state=CLOSED",
        "until-millis=9999999999999999999, written-millis=1, state=CLOSED",
    })
    void aWrongLineIsRefusedAlsoWithItsChecksum(String until, String written, String closed) throws IOException {
        String content = "snowcast high-water mark 1\n" + until + "\n" + written + "\n" + closed + "\n";
        Files.writeString(path, content + "crc32=" + crc(content) + "\n");

        requireRefused("it is not a file of that kind)");
    }

    @Test
    void aWriteThatFailsKeepsTheOldMark() throws IOException {
        file.write(MARK);
        Files.createDirectory(directory.resolve("member.high-water-mark.next"));

        assertThatThrownBy(() -> file.write(HighWaterMark.NONE)).isInstanceOf(IOException.class);
        assertThat(file.read()).isEqualTo(MARK);
    }
}
