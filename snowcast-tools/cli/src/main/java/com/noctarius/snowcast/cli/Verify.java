// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks for duplicate IDs and for IDs that the sequencer cannot have issued. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Finds duplicates in any number of IDs, and IDs that the sequencer cannot have issued.",
            "Without epoch or profile, checks only duplicates and order, also of integers."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  snowcast verify --profile orders --file ids.txt",
            "  snowcast verify --profile orders --node-range 0-63 --csv --column id --file orders.csv",
            "  snowcast verify --profile orders --jdbc jdbc:postgresql://db/shop --user shop --password --table orders --column id"
        })
final class Verify implements Callable<Integer> {
    private static final Pattern NODE_RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");
    private static final int LONGS_PER_MEGABYTE = (1 << 20) / Long.BYTES;
    private static final int MAX_MEGABYTES = 8_192;

    @Mixin
    private final Definition definition;

    @Mixin
    private final Column column;

    @Mixin
    private final DatabaseOptions database;

    @Option(names = "--ordered", description = "The exit code is 1 unless the IDs all ascend or all descend.")
    private boolean isOrdered;

    @Option(
            names = "--node-range",
            paramLabel = "FIRST-LAST",
            description = "The node IDs that the cluster may use; by default all of the layout.")
    private @Nullable String nodeRange;

    @Option(
            names = "--skew",
            paramLabel = "DURATION",
            description = "How far the time of an ID may be ahead of this clock; 1m by default.")
    private Duration skew = Duration.ofMinutes(1);

    @Option(names = "--prefix", paramLabel = "TEXT", description = "The text before each ID, such as ord_.")
    private String prefix = "";

    @Option(
            names = "--memory",
            paramLabel = "MEGABYTES",
            description = "How much memory is for sorting; 64 by default. If the IDs do not fit, they go to a file.")
    private int megabytes = 64;

    @Option(
            names = "--temp-dir",
            paramLabel = "DIRECTORY",
            description = "The directory of that file, which has 8 bytes per ID; by default the system's.")
    private Path directory = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--progress", negatable = true, description = "Shows progress, also without a terminal.")
    private @Nullable Boolean isProgressShown;

    @Option(names = "--output", paramLabel = "FORM", description = "${COMPLETION-CANDIDATES}.")
    private Output output = Output.TABLE;

    private final Terminal terminal;

    Verify(Terminal terminal) {
        this.terminal = terminal;
        this.definition = new Definition(terminal);
        this.column = new Column(terminal);
        this.database = new DatabaseOptions(terminal);
    }

    @Override
    public Integer call() throws IOException, SQLException {
        if (megabytes < 1 || megabytes > MAX_MEGABYTES) {
            throw new WrongUseException("--memory must be 1 to " + MAX_MEGABYTES + ": " + megabytes);
        }
        if (skew.isNegative()) {
            throw new WrongUseException("--skew must not be negative: " + skew);
        }
        Definition.Known known = definition.isGiven() ? definition.known() : null;
        try (IdCheck check = new IdCheck(bounds(known), megabytes * LONGS_PER_MEGABYTE, directory)) {
            read(check, known);
            check.findDuplicates();
            if (check.hasDuplicates()) {
                findLines(check, known);
            }
            print(check);
            boolean isWrong = check.errors().stream().anyMatch(finding -> finding.count() > 0)
                    || (isOrdered && check.unordered().count() > 0);
            return isWrong ? ExitCode.FOUND : ExitCode.DONE;
        }
    }

    private IdCheck.@Nullable Bounds bounds(Definition.@Nullable Known known) {
        if (known == null) {
            if (nodeRange != null) {
                throw new WrongUseException("--node-range needs --epoch or --profile");
            }
            return null;
        }
        int nodes = known.layout().logicalNodeCount();
        Matcher range = NODE_RANGE.matcher(nodeRange == null ? "0-" + (nodes - 1) : nodeRange);
        if (!range.matches()
                || Integer.parseInt(range.group(1)) > Integer.parseInt(range.group(2))
                || Integer.parseInt(range.group(2)) >= nodes) {
            throw new WrongUseException("--node-range must be like 0-" + (nodes - 1) + ", within it: " + nodeRange);
        }
        return IdCheck.Bounds.of(
                known, Instant.now().plus(skew), Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
    }

    private void read(IdCheck check, Definition.@Nullable Known known) throws IOException, SQLException {
        if (database.isGiven()) {
            Progress progress = progress(-1, null);
            database.read(column.name(), prefix, known, id -> {
                check.add(id, 0);
                progress.at(check.count());
            });
            progress.end(check.count(), "read");
            return;
        }
        long bytes = column.file().isPresent() ? Files.size(column.file().get()) : -1;
        try (CountingStream in = new CountingStream(
                column.file().isPresent() ? Files.newInputStream(column.file().get()) : terminal.in())) {
            Progress progress = progress(bytes, in);
            column.read(in, (text, line) -> {
                check.add(value(text, known), line);
                progress.at(check.count());
                return true;
            });
            progress.end(check.count(), "read");
        }
    }

    private long value(String text, Definition.@Nullable Known known) {
        return Form.value(Form.withoutPrefix(text, prefix), known);
    }

    /**
     * If the IDs come from a file, reads the file again to find the lines of duplicates, because storing the line of
     * each ID would double the memory.
     */
    private void findLines(IdCheck check, Definition.@Nullable Known known) throws IOException {
        if (!database.isGiven() && column.file().isPresent()) {
            column.read((text, line) -> {
                check.addLine(value(text, known), line);
                return true;
            });
        }
    }

    private Progress progress(long bytes, @Nullable CountingStream in) {
        boolean isShown = isProgressShown == null ? terminal.person() != null : isProgressShown;
        return new Progress(terminal.err(), isShown, () -> in == null || bytes <= 0 ? -1 : (double) in.count / bytes);
    }

    private void print(IdCheck check) {
        Finding unordered = check.unordered();
        List<Finding> findings = new ArrayList<>(check.errors());
        findings.add(unordered);
        if (output == Output.JSON) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("ids", check.count());
            for (Finding finding : findings) {
                Map<String, Object> found = new LinkedHashMap<>();
                found.put("count", finding.count());
                found.put("examples", finding.examples());
                found.put("lines", finding.lines());
                values.put(finding.name(), found);
            }
            values.put("descending", check.isDescending());
            terminal.out().println(Json.of(values));
        } else {
            terminal.out().println(row("ids", check.count()));
            for (Finding finding : findings) {
                String examples = finding.count() == 0 ? "" : "  such as " + finding.inWords();
                String order = finding == unordered && check.isDescending() ? "  the highest came first" : "";
                terminal.out().println(row(finding.name(), finding.count()) + examples + order);
            }
        }
        terminal.out().flush();
    }

    private static String row(String name, long count) {
        return Text.left(name, 22) + Text.right(String.format(Locale.ROOT, "%,d", count), 15);
    }

    private static final class CountingStream extends FilterInputStream {
        private long count;

        CountingStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int read = in.read();
            count += read < 0 ? 0 : 1;
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = in.read(bytes, offset, length);
            count += Math.max(0, read);
            return read;
        }
    }
}
