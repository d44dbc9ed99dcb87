// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.status.ClusterStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Prints which member, client or process holds which node ID. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the sequencers of a cluster, and which process holds which node ID until when. With --jdbc, prints",
            "the same for a database, and its integer sequences; for more about these: snowcast jdbc status.",
            "The exit code is 1 if a merge reported possible duplicates."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  snowcast status",
            "  snowcast status --address 10.0.0.5:5701,10.0.0.6:5701 --cluster-name prod --watch",
            "  snowcast status --client-config hazelcast-client.yaml --output json",
            "  snowcast status --jdbc jdbc:postgresql://db/shop --user ids --password"
        })
final class Status implements Callable<Integer> {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final long TICK_MILLIS = 1_000;
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[J";

    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Mixin
    private final SourceOptions options;

    @Option(
            names = "--output",
            paramLabel = "FORM",
            description = "${COMPLETION-CANDIDATES}; JSON prints one object per line.")
    private Output output = Output.TABLE;

    @Option(names = "--watch", description = "Repeats the output until Ctrl-C.")
    private boolean isWatching;

    @Option(names = "--interval", paramLabel = "DURATION", description = "The time between repetitions; 2s by default.")
    private Duration interval = Duration.ofSeconds(2);

    @Option(names = "--times", paramLabel = "NUMBER", description = "Ends --watch after this many outputs.")
    private long times = Long.MAX_VALUE;

    private final Terminal terminal;

    Status(Terminal terminal) {
        this.terminal = terminal;
        this.options = new SourceOptions(terminal);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (interval.compareTo(SHORTEST) < 0 || times < 1) {
            throw new WrongUseException("--interval must be 10ms or more, and --times 1 or more");
        }
        try (Source source = options.open(main.isVerbose)) {
            return show(source::status);
        }
    }

    private int show(Supplier<ClusterStatus> source) throws InterruptedException {
        Terminal.Person person = isWatching && output == Output.TABLE ? terminal.person() : null;
        ClusterStatus status = source.get();
        print(status, person);
        for (long i = 1; isWatching && i < times && !terminal.out().checkError(); i++) {
            await(status, person);
            status = source.get();
            print(status, person);
        }
        return StatusText.needsAttention(status) ? ExitCode.FOUND : ExitCode.DONE;
    }

    private void print(ClusterStatus status, Terminal.@Nullable Person person) {
        if (person != null) {
            draw(status, person.screen(), interval.toMillis());
        } else if (output == Output.JSON) {
            terminal.out().println(StatusText.json(status));
        } else {
            StatusText.lines(status).forEach(terminal.out()::println);
        }
        terminal.out().flush();
    }

    /**
     * Waits for the next reading. At a terminal, redraws the seconds until the next reading, and the remaining seconds
     * of the leases.
     */
    private void await(ClusterStatus status, Terminal.@Nullable Person person) throws InterruptedException {
        long leftMillis = interval.toMillis();
        while (leftMillis > 0) {
            long millis = person == null ? leftMillis : Math.min(leftMillis, TICK_MILLIS);
            Thread.sleep(millis);
            leftMillis -= millis;
            if (person != null && leftMillis > 0) {
                draw(status, person.screen(), leftMillis);
            }
        }
    }

    private void draw(ClusterStatus status, Terminal.Size screen, long leftMillis) {
        Instant now = status.time().plusMillis(interval.toMillis() - leftMillis);
        List<String> lines = StatusText.lines(status, now, screen.columns());
        int room = Math.max(1, screen.lines() - 2);
        int shown = lines.size() <= room ? lines.size() : room - 1;
        terminal.out().control(CLEAR_SCREEN);
        for (String line : lines.subList(0, shown)) {
            terminal.out().println(Text.cut(line, screen.columns()));
        }
        if (shown < lines.size()) {
            terminal.out().println(Text.cut("... " + (lines.size() - shown) + " more lines", screen.columns()));
        }
        String end = "again in " + (leftMillis + TICK_MILLIS - 1) / TICK_MILLIS + " s; Ctrl-C ends";
        terminal.out().print(Text.cut(end, screen.columns()));
        terminal.out().flush();
    }
}
