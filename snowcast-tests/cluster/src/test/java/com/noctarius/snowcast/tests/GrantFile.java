// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.leases.Coordinator.GrantObserver;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The grants of the holders of one process, as lines of a file. A line is there before the holder uses what it says, so
 * also if the process is killed.
 */
final class GrantFile implements GrantObserver {
    private static final String GRANTED = "granted";
    private static final String EXTENDED = "extended";
    private static final String ENDED = "ended";
    /** Of no interest to a ledger. */
    private static final SnowcastLayout LAYOUT = SnowcastLayout.DEFAULT;

    private final Path file;
    private final History history;

    GrantFile(Path file, History history) {
        this.file = file;
        this.history = history;
    }

    @Override
    public void granted(AttachRequest request, Grant grant) {
        history.granted(request, grant);
        append(
                GRANTED,
                request.name(),
                request.holder(),
                grant.token().tableEpoch(),
                grant.token().sequence(),
                grant.incarnation(),
                grant.logicalNodeId(),
                request.definition().epochOffset(),
                Math.max(grant.floor(), request.lastMillis() + 1),
                grant.ceiling());
    }

    @Override
    public void extended(ExtendRequest request, long ceiling) {
        history.extended(request, ceiling);
        append(
                EXTENDED,
                request.name(),
                request.holder(),
                request.token().tableEpoch(),
                request.token().sequence(),
                request.incarnation(),
                request.logicalNodeId(),
                request.definition().epochOffset(),
                ceiling);
    }

    @Override
    public void ended(UUID holder, DetachRequest unused) {
        history.ended(holder, unused);
        append(
                ENDED,
                unused.name(),
                holder,
                unused.token().tableEpoch(),
                unused.token().sequence(),
                unused.logicalNodeId(),
                unused.lastMillis());
    }

    private synchronized void append(Object... words) {
        String line = Stream.of(words).map(String::valueOf).collect(Collectors.joining(" ", "", "\n"));
        try {
            Files.write(
                    file, line.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what a file says, maybe none; a line that a kill has left without its end does not count. */
    static GrantLedger read(Path file) {
        GrantLedger ledger = new GrantLedger();
        try {
            String content = Files.exists(file) ? Files.readString(file) : "";
            content.substring(0, content.lastIndexOf('\n') + 1).lines().forEach(line -> enter(line, ledger));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ledger;
    }

    /** Returns how many grants and extensions are in a file. */
    static long count(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> !line.startsWith(ENDED)).count();
        }
    }

    private static void enter(String line, GrantLedger ledger) {
        List<String> words = List.of(line.split(" ", -1));
        String name = words.get(1);
        UUID holder = UUID.fromString(words.get(2));
        long[] numbers = words.stream().skip(3).mapToLong(Long::parseLong).toArray();
        Token token = new Token(numbers[0], numbers[1], holder);
        switch (words.get(0)) {
            case GRANTED -> {
                Definition definition = new Definition(numbers[4], LAYOUT, 0, null);
                ledger.granted(
                        new AttachRequest(name, definition, numbers[2], holder, 0, 0, 0, -1),
                        new Grant(numbers[2], (int) numbers[3], token, numbers[5], numbers[6], 0));
            }
            case EXTENDED -> {
                Definition definition = new Definition(numbers[4], LAYOUT, 0, null);
                ledger.extended(
                        new ExtendRequest(name, definition, numbers[2], (int) numbers[3], token, 0, 0, 0), numbers[5]);
            }
            case ENDED -> ledger.ended(holder, new DetachRequest(name, (int) numbers[2], token, numbers[3]));
            default -> throw new AssertionError(line);
        }
    }
}
