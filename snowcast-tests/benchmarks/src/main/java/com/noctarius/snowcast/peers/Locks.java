// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** File locks that keep runs on one machine from disturbing each other. A lock ends with its process at the latest. */
final class Locks {
    private static final Path CROWDS = Path.of(
            System.getProperty("java.io.tmpdir"), "snowcast-peers-crowd-" + System.getProperty("user.name") + ".lock");

    private Locks() {}

    /** Locks a directory for the results of one run. */
    static Closeable take(Path directory) throws IOException {
        FileChannel channel = open(Files.createDirectories(directory).resolve("lock"));
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // This process already has the lock.
        }
        channel.close();
        throw new IllegalStateException(
                "another run writes its results to " + directory + "; choose another directory with -Dresults=");
    }

    /** Waits until no other run has a crowd, because two crowds do not fit into the memory of a small machine. */
    static Closeable awaitTurnOfCrowd() throws IOException {
        FileChannel channel = open(CROWDS);
        FileLock turn = channel.lock();
        assert turn.isValid();
        return channel;
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }
}
