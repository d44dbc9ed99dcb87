// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.noctarius.snowcast.benchmarks.scale.Pauses;
import com.noctarius.snowcast.benchmarks.scale.Scale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of a benchmark run. Each part can also be run alone. */
enum Part {
    /** IDs per microsecond and bytes per ID, of all generators. */
    THROUGHPUT("throughput") {
        @Override
        List<String> subjects() {
            return titles(Throughput.SUBJECTS);
        }

        @Override
        List<Result> run(Effort effort) throws Exception {
            return jmh(Throughput.GROUP, Throughput.class, Throughput.SUBJECTS, effort);
        }
    },

    /** Duration of a call at half of the layout's maximum rate. */
    LATENCY("latency") {
        @Override
        List<String> subjects() {
            List<String> subjects = new ArrayList<>(List.of(HalfTheLimit.TIMER, HalfTheLimit.CLOCK));
            subjects.addAll(super.subjects());
            return List.copyOf(subjects);
        }

        @Override
        List<Result> measure(String subject, Effort effort) throws Exception {
            HalfTheLimit harness = new HalfTheLimit(effort);
            return super.subjects().contains(subject)
                    ? harness.run(Contender.byTitle(subject))
                    : harness.runBare(subject);
        }
    },

    /** Rate, CPU time, waits and fairness of threads that request more IDs per millisecond than the layout has. */
    SATURATION("saturation") {
        @Override
        List<Result> measure(String subject, Effort effort) throws Exception {
            return new Saturation(effort).run(Contender.byTitle(subject));
        }
    },

    /** The figures of {@link #SATURATION} with virtual threads; needs a JDK that has virtual threads. */
    VIRTUAL("virtual") {
        @Override
        List<Result> run(Effort effort) throws Exception {
            if (new Fork(this, effort).jdk() < VirtualThreads.FIRST_JDK) {
                Progress.say("virtual: left out, for this JDK has no virtual threads; see -Dvirtual.java");
                return List.of();
            }
            return super.run(effort);
        }

        @Override
        List<Result> measure(String subject, Effort effort) throws Exception {
            return new VirtualThreads(effort).run(Contender.byTitle(subject));
        }
    },

    /** How old the timestamps of IDs are at full rate. */
    STALENESS("staleness") {
        @Override
        List<String> subjects() {
            return Staleness.SUBJECTS;
        }

        @Override
        List<Result> measure(String subject, Effort effort) throws Exception {
            return new Staleness(effort).run(subject);
        }
    },

    /** The rate of IDs in batches, as a part of the maximum rate of a layout for few nodes. */
    BATCHES("batches", Contender.SNOWCAST) {
        @Override
        List<Result> measure(String subject, Effort effort) throws Exception {
            return new SaturatedBatches(effort).run();
        }
    },

    /** Integers per microsecond and bytes per integer, of all integer sequences. */
    INTEGERS("integers") {
        @Override
        List<String> subjects() {
            return titles(IntegerThroughput.SUBJECTS);
        }

        @Override
        List<Result> run(Effort effort) throws Exception {
            return jmh(IntegerThroughput.GROUP, IntegerThroughput.class, IntegerThroughput.SUBJECTS, effort);
        }
    },

    /** Duration of a call to an integer sequence whose store is slow. */
    SLOW_STORE("slow-store") {
        @Override
        List<String> subjects() {
            return SlowStore.SUBJECTS;
        }

        @Override
        List<Result> measure(String subject, Effort effort) throws Exception {
            return new SlowStore(effort).run(subject);
        }
    },

    /** How long reads of other data wait while partitions with many sequencers migrate. */
    PAUSES("pauses", Contender.SNOWCAST) {
        @Override
        List<Result> measure(String subject, Effort effort) throws Exception {
            return Pauses.run(effort.factor());
        }
    },

    /** The cost of coordination in the cluster, and how the cost grows with the number of sequencers and holders. */
    SCALE("scale", Contender.SNOWCAST) {
        @Override
        List<Result> measure(String subject, Effort effort) throws Exception {
            return Scale.run();
        }
    };

    private final String title;

    /** The only contender of this part; null if the part measures all contenders, or has other subjects. */
    private final @Nullable Contender only;

    Part(String title) {
        this(title, null);
    }

    Part(String title, @Nullable Contender only) {
        this.title = title;
        this.only = only;
    }

    static Part byTitle(String title) {
        return Arrays.stream(values())
                .filter(part -> part.title.equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no part " + title));
    }

    /** Returns the name of this part on the command line. */
    String title() {
        return title;
    }

    /**
     * Returns the titles of the generators that this part measures, and of the calls that it measures for comparison.
     */
    List<String> subjects() {
        Stream<Contender> measured = only == null ? Arrays.stream(Contender.values()) : Stream.of(only);
        return measured.map(Contender::title).toList();
    }

    /** Returns whether the regular expression {@code -Dbenchmarks.subjects} selects a subject. */
    private static boolean wanted(String subject) {
        return subject.matches(System.getProperty("benchmarks.subjects", ".*"));
    }

    /** Measures each selected subject in its own JVM, so that the JIT compiler optimizes for this subject only. */
    List<Result> run(Effort effort) throws Exception {
        List<Result> results = new ArrayList<>();
        for (String subject : subjects().stream().filter(Part::wanted).toList()) {
            Progress.say(title + ": " + subject);
            results.addAll(new Fork(this, effort).run(subject));
        }
        return results;
    }

    private static List<String> titles(List<Subject> subjects) {
        return subjects.stream().map(Subject::title).toList();
    }

    /** Measures with JMH, which starts the JVMs. */
    List<Result> jmh(String group, Class<?> benchmarks, List<Subject> subjects, Effort effort) throws Exception {
        List<Subject> wanted =
                subjects.stream().filter(subject -> wanted(subject.title())).toList();
        List<Result> results = new ArrayList<>(new ThroughputRun(group, benchmarks, wanted, effort).run());
        results.add(Machine.result(this));
        return results;
    }

    /** Measures a subject in this JVM. Parts that use JMH do not support this. */
    List<Result> measure(String subject, Effort effort) throws Exception {
        throw new UnsupportedOperationException(title());
    }
}
