// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.leases.Coordinator.GrantObserver;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the grants of one process, and the merge reports that it receives, as lines of a file. The line of a grant or
 * renewal is written before the holder uses it, so even the file of a killed process has all grants and renewals that
 * were used. Each line begins with the machine's monotonic time in nanoseconds, which all processes share.
 */
final class GrantFile implements GrantObserver {
    private static final String GRANTED = "granted";
    private static final String RENEWED = "renewed";
    private static final String ENDED = "ended";
    private static final String REPORTED = "reported";
    /** The layout of definitions from a file. The file has no layouts, because the ledger does not need them. */
    private static final SnowcastLayout LAYOUT = SnowcastLayout.DEFAULT;

    private final Path file;

    GrantFile(Path file) {
        this.file = file;
    }

    @Override
    public void granted(AttachRequest request, Grant grant) {
        append(
                GRANTED,
                request.name(),
                request.holder(),
                grant.token().tableId(),
                grant.token().sequence(),
                grant.incarnation(),
                grant.logicalNodeId(),
                request.definition().epochOffset(),
                request.lastIdTime(),
                request.holderNowMillis(),
                grant.floor(),
                grant.ceiling());
    }

    @Override
    public void renewed(RenewRequest request, long ceiling) {
        append(
                RENEWED,
                request.name(),
                request.holder(),
                request.token().tableId(),
                request.token().sequence(),
                request.incarnation(),
                request.logicalNodeId(),
                request.definition().epochOffset(),
                ceiling);
    }

    @Override
    public void ended(UUID holder, DetachRequest unused) {
        append(
                ENDED,
                unused.name(),
                holder,
                unused.token().tableId(),
                unused.token().sequence(),
                unused.logicalNodeId(),
                unused.lastIdTime());
    }

    void reported(PossibleDuplicates ids) {
        append(
                REPORTED,
                ids.sequencerName(),
                ids.logicalNodeId(),
                ids.from().toEpochMilli(),
                ids.to().toEpochMilli());
    }

    private synchronized void append(Object... words) {
        String line =
                System.nanoTime() + Stream.of(words).map(String::valueOf).collect(Collectors.joining(" ", " ", "\n"));
        try {
            Files.write(
                    file, line.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Line(long nanos, String kind, String name, List<String> words) {
        static Line of(String line) {
            List<String> words = List.of(line.split(" ", -1));
            return new Line(Long.parseLong(words.get(0)), words.get(1), words.get(2), words.subList(3, words.size()));
        }

        long[] numbers(int from) {
            return words.stream().skip(from).mapToLong(Long::parseLong).toArray();
        }
    }

    /** Returns the lines of all files by time, without incomplete last lines, which killed processes may leave. */
    private static Stream<Line> lines(Collection<Path> files) {
        return files.stream()
                .filter(Files::exists)
                .flatMap(file -> {
                    try {
                        String content = Files.readString(file);
                        return content.substring(0, content.lastIndexOf('\n') + 1)
                                .lines();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .map(Line::of)
                .sorted(Comparator.comparing(Line::nanos));
    }

    static Ledger read(Collection<Path> files) {
        Ledger ledger = new Ledger();
        lines(files).forEach(line -> enter(line, ledger));
        return ledger;
    }

    static List<PossibleDuplicates> reports(Collection<Path> files) {
        return lines(files)
                .filter(line -> line.kind.equals(REPORTED))
                .map(line -> {
                    long[] numbers = line.numbers(0);
                    return new PossibleDuplicates(
                            line.name,
                            (int) numbers[0],
                            Instant.ofEpochMilli(numbers[1]),
                            Instant.ofEpochMilli(numbers[2]));
                })
                .distinct()
                .toList();
    }

    static long count(Path file) {
        return lines(List.of(file))
                .filter(line -> line.kind.equals(GRANTED) || line.kind.equals(RENEWED))
                .count();
    }

    static long renewals(Path file) {
        return lines(List.of(file)).filter(line -> line.kind.equals(RENEWED)).count();
    }

    private static void enter(Line line, Ledger ledger) {
        if (line.kind.equals(REPORTED)) {
            return;
        }
        UUID holder = UUID.fromString(line.words.get(0));
        long[] numbers = line.numbers(1);
        Token token = new Token(numbers[0], numbers[1], holder);
        switch (line.kind) {
            case GRANTED -> {
                Definition definition = new Definition(numbers[4], LAYOUT, 0, null);
                ledger.granted(
                        new AttachRequest(line.name, definition, numbers[2], holder, 0, numbers[6], 0, numbers[5]),
                        new Grant(numbers[2], (int) numbers[3], token, numbers[7], numbers[8], 0));
            }
            case RENEWED -> {
                Definition definition = new Definition(numbers[4], LAYOUT, 0, null);
                ledger.renewed(
                        new RenewRequest(line.name, definition, numbers[2], (int) numbers[3], token, 0, 0, 0),
                        numbers[5]);
            }
            case ENDED -> ledger.ended(holder, new DetachRequest(line.name, (int) numbers[2], token, numbers[3]));
            default -> throw new AssertionError(line);
        }
    }
}
