// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The calls of snowcast 1 and 2, with their former and present results: the rows of the tables in
 * docs/migration/snowcast-1-and-2.md, in their order. {@link FormerCallTablesTest} writes the tables, and requires a
 * test that {@link Shows shows} each row.
 */
enum FormerCall {
    SNOWCAST("`SnowcastSystem.snowcast(hazelcast)`", "one `Snowcast` per `HazelcastInstance`, always the same"),
    SNOWCAST_OF_NOTHING("`snowcast(null)`", "`NullPointerException`"),
    SNOWCAST_OF_STOPPED("`snowcast(…)` of an instance that was shut down", "`HazelcastInstanceNotActiveException`"),
    SNOWCAST_STATIC("`Snowcast.snowcast(…)`, of version 2", "the same as `SnowcastSystem.snowcast(…)`"),
    CREATE("`createSequencer`, new", "Attached, with 8192 node IDs by default"),
    CREATE_SAME("`createSequencer`, same definition", "the same object"),
    CREATE_DETACHED("`createSequencer`, same definition, Detached", "the same object, still Detached"),
    CREATE_OTHER(
            "`createSequencer`, other definition",
            "`SnowcastSequencerAlreadyRegisteredException`; the sequencer continues as it was"),
    CREATE_NODES(
            "`createSequencer`, fewer than 128 or more than 8192 nodes",
            "`SnowcastMaxLogicalNodeIdOutOfBoundsException`"),
    CREATE_NULL("`createSequencer`, name or epoch null", "`NullPointerException`"),
    ID("an ID", "41 bits of time, 7 to 13 of the node ID, 16 to 10 of the counter"),
    NEXT_ORDER("`next()`", "increases from call to call"),
    NEXT_STATE("`next()`, not Attached", "`SnowcastStateException`"),
    NEXT_INTERRUPTED(
            "`next()`, interrupted",
            "`InterruptedException` if it waits; else the ID, and the thread stays interrupted"),
    ATTACH("`attachLogicalNode()`", "from Detached to Attached, else `SnowcastStateException`; returns the sequencer"),
    DETACH("`detachLogicalNode()`", "from Attached to Detached, else `SnowcastStateException`; returns the sequencer"),
    STATE("`getSequencerState()`", "`Detached`, `Attached`, `Destroyed`, in this order of the enum"),
    DECODE("`timestampValue`, `logicalNodeId`, `counterValue`", "answer in each state"),
    DESTROY("`destroySequencer`", "Destroyed, on all members and clients; all calls but decoding fail from then on"),
    DESTROY_TWICE("`destroySequencer`, twice", "nothing happens"),
    DESTROY_NULL("`destroySequencer(null)`", "`NullPointerException`"),
    EPOCH("`SnowcastEpoch.by…`", "equal epochs are `equals`, however they were made"),
    EPOCH_REFUSED("`byInstant`, `byCalendar`", "null: `NullPointerException`; a future time: `SnowcastException`"),
    EPOCH_CALENDAR("`byCalendar`", "cuts the milliseconds"),
    UTILS("`SnowcastSequenceUtils`", "takes IDs apart and compares them without a sequencer"),
    TIMESTAMP_ORDER("`SnowcastTimestampComparator`", "compares the time, unsigned, and nothing else"),
    SEQUENCE_ORDER("`SnowcastSequenceComparator`", "compares the time, unsigned, then the counter"),
    EXCEPTIONS("exceptions", "all are `SnowcastException`, which is a `RuntimeException`"),
    DECORATORS("classes that implement `Snowcast` or `SnowcastSequencer`", "compile and work"),

    PLATFORM("Java, Hazelcast", "6, 3.4 to 3.8", "17, 5.4 to 5.7"),
    NEXT_CUT_OFF(
            "`next()`, cluster out of reach",
            "continues forever",
            "[continues for the lease](../guide.md#lease), 5 minutes by default; then waits 10 seconds and throws"
                    + " `SnowcastStateException`"),
    NEXT_FULL(
            "`next()`, millisecond full",
            "runs into the bits of the node, or fails after 100 tries",
            "waits for the next millisecond"),
    COUNTER_START(
            "counter of a new millisecond",
            "begins at 0",
            "begins [anywhere](../guide.md#create), or with `CounterStart.ZERO` at 0"),
    LOGICAL_NODES("node IDs", "any that is free", "any that is free, not the former one"),
    LOGICAL_NODES_OF_LOST(
            "node IDs of a member or client that crashes",
            "lost forever",
            "free again after lease + skew, 6 minutes by default"),
    ALL_LOGICAL_NODES("nodes of 128", "127", "128"),
    TOO_MANY(
            "more nodes than defined",
            "`SnowcastSequencerAlreadyRegisteredException`, or an undefined error on clients",
            "`SnowcastNodeIdsExceededException`"),
    DETACH_RETURNS("`detachLogicalNode()` returns", "calls of other threads may still get IDs", "none does"),
    BACKUP_COUNT("`backupCount`", "0 to 32767", "0 to 6; more is an `IllegalArgumentException`"),
    BACKUP_COUNT_OTHER(
            "`snowcast(hazelcast, n)`, again with another count",
            "the first `Snowcast`; the count is ignored",
            "`IllegalArgumentException`"),
    LAYOUT_EQUAL("node counts 200 and 256", "two definitions", "one, since the layout is the same"),
    CREATE_ANEW(
            "a destroyed name, created again",
            "clients get the dead sequencer",
            "the IDs are above all before, [or it is refused](../guide.md#create)"),
    DESTROY_OLD(
            "`destroySequencer` of an old object", "destroys the new sequencer of the same name", "leaves it alone"),
    DESTROY_FOREIGN(
            "`destroySequencer` of a wrapper, or of a sequencer of another `HazelcastInstance`",
            "destroys what has its name here",
            "`IllegalArgumentException`; nothing is destroyed"),
    CLOCK_AHEAD(
            "clock ahead",
            "not checked",
            "more than a minute ahead of or behind cluster time it [cannot attach](../operate/clocks.md#the-clock-of-a-process)"),
    NAMES(
            "names",
            "any",
            "1 to 255 characters, none of them a control or format character, no white space at the beginning or end"),
    EPOCH_AHEAD("epoch in the future, by `byTimestamp`", "negative times", "refused"),
    EPOCH_IN_SECONDS(
            "epoch of a number above 0 and before 2000, by `byTimestamp`",
            "accepted, also seconds in place of milliseconds",
            "refused; `byInstant(Instant.ofEpochMilli(…))` keeps such an epoch"),
    EPOCH_CALENDAR_LEFT("the calendar of `byCalendar`", "its milliseconds are set to 0", "is left as it is"),
    EPOCH_TEXT("`SnowcastEpoch.toString()`", "the offset in milliseconds", "the instant"),
    CONFIGURATOR(
            "`SnowcastNodeConfigurator`, of version 1",
            "adds the service to the configuration",
            "deprecated; leaves the configuration as it is"),
    SPLIT(
            "split network",
            "duplicate IDs after the merge",
            "[none, with split-brain protection](../guide.md#split-brain); without it, the merge reports which may"),
    PROPERTIES("properties `snowcast.*`", "none", "[a dozen](../guide.md#configuration); none has to be set");

    private final String call;
    private final @Nullable String before;
    private final String now;

    FormerCall(String call, String same) {
        this.call = call;
        this.before = null;
        this.now = same;
    }

    FormerCall(String call, String before, String now) {
        this.call = call;
        this.before = Objects.requireNonNull(before);
        this.now = now;
    }

    /** Marks a test that shows the present result of a call. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface Shows {
        FormerCall[] value();
    }

    boolean isSame() {
        return before == null;
    }

    String row() {
        return before == null ? "| " + call + " | " + now + " |" : "| " + call + " | " + before + " | " + now + " |";
    }
}
