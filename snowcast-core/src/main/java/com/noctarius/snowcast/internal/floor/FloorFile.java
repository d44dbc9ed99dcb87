// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.floor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The file of a {@link FloorMark}: lines of text, the last of which is a checksum of the others. Replaced as a whole, so
 * that after a crash it holds the old mark or the new one.
 */
final class FloorFile {
    static final String SUFFIX = ".floor";

    private static final String HEADER = "snowcast floor 1";
    private static final String UNTIL = "until-millis=";
    private static final String WRITTEN = "written-millis=";
    private static final String CLOSED = "closed=";
    private static final String CHECKSUM = "crc32=";

    private final Path path;

    FloorFile(Path path) {
        this.path = path;
    }

    /** Returns the mark; null if there is no file. */
    @Nullable
    FloorMark read() throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(path);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw damaged("it cannot be read as text", e);
        }
        if (lines.size() != 5 || !lines.get(0).equals(HEADER)) {
            throw damaged("it is no file of that kind", null);
        }
        String content = String.join("\n", lines.subList(0, 4)) + "\n";
        if (!lines.get(4).equals(CHECKSUM + checksum(content))) {
            throw damaged("its checksum is wrong", null);
        }
        try {
            return new FloorMark(
                    Long.parseLong(value(lines.get(1), UNTIL)),
                    Long.parseLong(value(lines.get(2), WRITTEN)),
                    isTrue(value(lines.get(3), CLOSED)));
        } catch (NumberFormatException e) {
            throw damaged("a value is no number", e);
        }
    }

    private String value(String line, String key) throws IOException {
        if (!line.startsWith(key)) {
            throw damaged("a line does not begin with " + key, null);
        }
        return line.substring(key.length());
    }

    private boolean isTrue(String value) throws IOException {
        if (!value.equals("true") && !value.equals("false")) {
            throw damaged("closed is neither true nor false", null);
        }
        return value.equals("true");
    }

    private IOException damaged(String how, @Nullable Exception cause) {
        return new IOException(
                "the durable floor " + path + " is damaged (" + how
                        + "). Restore it; or, once the clocks have passed every ID that was issued, delete it",
                cause);
    }

    private static String checksum(String content) {
        CRC32 crc = new CRC32();
        crc.update(content.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }

    /** Replaces the mark; when it returns, the new one is on the disk. */
    void write(FloorMark mark) throws IOException {
        String content = HEADER + "\n" + UNTIL + mark.untilMillis() + "\n" + WRITTEN + mark.writtenMillis() + "\n"
                + CLOSED + mark.closed() + "\n";
        Path next = path.resolveSibling(path.getFileName() + ".next");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes =
                    ByteBuffer.wrap((content + CHECKSUM + checksum(content) + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceDirectory();
    }

    /** So that the new name outlives a loss of power, too. Windows cannot open directories, and needs not. */
    private void forceDirectory() throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel directory = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
                directory.force(true);
            }
        }
    }
}
