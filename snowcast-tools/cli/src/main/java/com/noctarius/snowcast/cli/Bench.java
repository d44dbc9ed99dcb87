// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Generates IDs as fast as possible and looks for duplicates. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Generates as many IDs as several clients of a cluster or a database can, and looks for duplicates among",
            "them.",
            "Use a sequencer that nothing else uses: other calls wait while the counters of a node are used up."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  snowcast bench trial", "  snowcast bench trial --clients 4 --threads 2 --seconds 30 --batch 100"})
final class Bench implements Callable<Integer> {
    private static final int SORTED_IN_MEMORY = 8 << 20;

    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Parameters(paramLabel = "SEQUENCER", description = "The name of a sequencer that the cluster has.")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Mixin
    private final SourceOptions options;

    @Option(
            names = "--clients",
            paramLabel = "NUMBER",
            description = "How many clients, each with its own node ID; 2 by default.")
    private int clients = 2;

    @Option(names = "--threads", paramLabel = "NUMBER", description = "How many threads per client; 1 by default.")
    private int threads = 1;

    @Option(names = "--seconds", paramLabel = "NUMBER", description = "For how many seconds; 5 by default.")
    private int seconds = 5;

    @Option(names = "--batch", paramLabel = "NUMBER", description = "How many IDs per call; 1 by default.")
    private int batch = 1;

    @Option(names = "--progress", negatable = true, description = "Shows progress, also without a terminal.")
    private @Nullable Boolean isProgressShown;

    @Option(
            names = "--output",
            paramLabel = "FORM",
            description = "${COMPLETION-CANDIDATES}; JSON prints one object per line.")
    private Output output = Output.TABLE;

    private final Terminal terminal;

    Bench(Terminal terminal) {
        this.terminal = terminal;
        this.options = new SourceOptions(terminal);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        require("--clients", clients, 64);
        require("--threads", threads, 256);
        require("--seconds", seconds, 3_600);
        require("--batch", batch, 100_000);
        List<Source> sources = new ArrayList<>();
        try (IdCheck check = new IdCheck(null, SORTED_IN_MEMORY, Path.of(System.getProperty("java.io.tmpdir")))) {
            boolean isShown = isProgressShown == null ? terminal.person() != null : isProgressShown;
            Load load = new Load(check, seconds, batch);
            for (int i = 0; i < clients; i++) {
                Source source = options.open(main.isVerbose);
                sources.add(source);
                load.add(source.snowcast().createSequencer(source.requireSequencer(name)), threads);
            }
            Progress progress = new Progress(terminal.err(), isShown, load::share);
            Load.Result result = load.run(progress);
            progress.end(result.ids(), "generated");
            check.findDuplicates();
            Finding duplicates = check.errors().get(0);
            print(result, duplicates);
            return duplicates.count() == 0 ? ExitCode.DONE : ExitCode.FOUND;
        } finally {
            sources.forEach(Source::close);
        }
    }

    private static void require(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new WrongUseException(option + " must be 1 to " + max + ": " + value);
        }
    }

    private void print(Load.Result result, Finding duplicates) {
        Map<String, Long> lines = new LinkedHashMap<>();
        lines.put("IDs", result.ids());
        lines.put("IDs per second", Math.round(result.ids() / (result.nanos() / 1e9)));
        lines.put("call, median, ns", result.latency(0.5));
        lines.put("call, 99 %, ns", result.latency(0.99));
        lines.put("call, 99.9 %, ns", result.latency(0.999));
        lines.put("call, longest, ns", result.longestNanos());
        lines.put("duplicates", duplicates.count());
        if (output == Output.JSON) {
            terminal.out().println(Json.of(lines));
        } else {
            lines.forEach((what, number) -> terminal.out()
                    .println(Text.left(what, 20) + Text.right(String.format(Locale.ROOT, "%,d", number), 15)));
            duplicates.examples().forEach(each -> terminal.out().println("  " + each));
        }
        terminal.out().flush();
    }
}
