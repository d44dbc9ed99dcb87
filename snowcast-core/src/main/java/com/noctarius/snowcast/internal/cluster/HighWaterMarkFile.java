// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.HighWaterMark.State;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The file of a {@link HighWaterMark}: lines of text, the last of which is a checksum of the others. It is replaced
 * atomically, so that after a crash it contains the old mark or the new one. Reading and writing do not follow symbolic
 * links, so that a user who may create files in the directory cannot make snowcast overwrite other files.
 */
record HighWaterMarkFile(Path path) {
    static final String SUFFIX = ".high-water-mark";

    private static final Pattern FILE =
            Pattern.compile("(snowcast high-water mark 1\nuntil-millis=(-?\\d{1,19})\nwritten-millis=(-?\\d{1,19})\n"
                    + "state=(OPEN|HANDED_OVER|CLOSED)\n)crc32=([0-9a-f]+)\n?");

    private static final int MAX_BYTES = 4_096;
    /** The maximum time from the writing of a mark to the bound in it; far more than the longest lease. */
    private static final long MAX_AHEAD_MILLIS = TimeUnit.DAYS.toMillis(366);

    /** Reads the mark; returns null if there is no file. */
    @Nullable
    HighWaterMark read() throws IOException {
        try {
            Matcher file = FILE.matcher(content());
            if (!file.matches()) {
                throw damaged("it is not a file of that kind");
            }
            if (!file.group(5).equals(checksum(file.group(1)))) {
                throw damaged("its checksum is wrong");
            }
            HighWaterMark mark = new HighWaterMark(
                    Long.parseLong(file.group(2)), Long.parseLong(file.group(3)), State.valueOf(file.group(4)));
            if (!isPossible(mark)) {
                throw damaged(mark + " is negative or lies over 366 days after it was written");
            }
            return mark;
        } catch (NoSuchFileException e) {
            return null;
        } catch (NumberFormatException e) {
            throw damaged("it is not a file of that kind");
        }
    }

    /** Returns whether a mark can be that of a cluster. */
    static boolean isPossible(HighWaterMark mark) {
        long ahead = mark.untilMillis() - mark.writtenMillis();
        return Math.min(mark.untilMillis(), mark.writtenMillis()) >= 0 && ahead <= MAX_AHEAD_MILLIS;
    }

    private String content() throws IOException {
        // Check first: opening a pipe would block until a process writes to it.
        if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isRegularFile()) {
            throw damaged("it is a link, a directory or a device, and no regular file");
        }
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw damaged("it is longer than " + MAX_BYTES + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private IOException damaged(String how) {
        return new IOException("the high-water mark " + path + " is damaged (" + how
                + "). Move it away if other members have good marks; else delete it once the clocks are past every ID"
                + " that was issued. Never restore an older copy, whose mark is too low");
    }

    private static String checksum(String content) {
        CRC32 crc = new CRC32();
        crc.update(content.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }

    /** Replaces the mark. When the call returns, the new mark is on the disk. */
    void write(HighWaterMark mark) throws IOException {
        String content = "snowcast high-water mark 1\nuntil-millis=" + mark.untilMillis() + "\nwritten-millis="
                + mark.writtenMillis() + "\nstate=" + mark.state() + "\n";
        Path next = path.resolveSibling(path.getFileName() + ".next");
        if (!Files.isDirectory(next, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(next); // A crash may have left the file. If it is a link, only the link is deleted.
        }
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(next, options, permissions())) {
            ByteBuffer bytes =
                    ByteBuffer.wrap((content + "crc32=" + checksum(content) + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceDirectory();
    }

    private FileAttribute<?>[] permissions() {
        var ofOwner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        return isPosix() ? new FileAttribute<?>[] {ofOwner} : new FileAttribute<?>[0];
    }

    private boolean isPosix() {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Makes the new name survive a power failure. Windows cannot open directories, and does not need this. */
    private void forceDirectory() throws IOException {
        if (isPosix()) {
            try (FileChannel directory = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
                directory.force(true);
            }
        }
    }
}
