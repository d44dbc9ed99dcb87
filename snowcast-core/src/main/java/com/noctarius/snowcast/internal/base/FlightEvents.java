// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;

/**
 * Records attaches, failed renewals, waits and reservations as events of Java Flight Recorder, each at its end. A JVM
 * without the module {@code jdk.jfr} records nothing. No method of this class assigns an event to a variable of a
 * superclass, because the JVM's bytecode verifier would then load both classes, which fails without the module.
 */
@SuppressWarnings("UnusedVariable") // The recorder reads the fields.
public final class FlightEvents {
    /** Shorter waits are not recorded, because most of them are waits for the next millisecond. */
    private static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final boolean CAN_RECORD =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightEvents() {}

    @Category("snowcast")
    @StackTrace(false)
    private abstract static class TimedEvent extends Event {
        String name = "";

        @Timespan(Timespan.NANOSECONDS)
        long took;

        void commit(String of, long nanos) {
            name = of;
            took = nanos;
            commit();
        }
    }

    @Name("snowcast.Attach")
    private static final class Attach extends TimedEvent {
        int logicalNodeId;

        @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
        long until;

        int formerNodeId;
        String reason = "";
    }

    @Name("snowcast.RenewalFailed")
    private static final class RenewalFailed extends TimedEvent {
        int sequencers;
        String reason = "";
    }

    @Name("snowcast.Wait")
    private static final class Wait extends TimedEvent {
        String kind = "";
    }

    @Name("snowcast.BlockReserved")
    private static final class BlockReserved extends TimedEvent {
        long first;
        long count;
    }

    /** Records an attach. Unless the attach replaces a lost node ID, {@code former} is -1 and the reason is empty. */
    public static void attached(String name, int nodeId, long untilMillis, int former, String reason, long nanos) {
        if (CAN_RECORD) {
            Attach event = new Attach();
            event.logicalNodeId = nodeId;
            event.until = untilMillis;
            event.formerNodeId = former;
            event.reason = reason;
            event.commit(name, nanos);
        }
    }

    /** Records a failed renewal request, which may be for many sequencers; the event names one of them. */
    public static void renewalFailed(String name, int sequencers, String reason, long nanos) {
        if (CAN_RECORD) {
            RenewalFailed event = new RenewalFailed();
            event.sequencers = sequencers;
            event.reason = reason;
            event.commit(name, nanos);
        }
    }

    public static void waited(String kind, String name, long nanos) {
        if (CAN_RECORD && nanos >= MIN_WAIT_NANOS) {
            Wait event = new Wait();
            event.kind = kind;
            event.commit(name, nanos);
        }
    }

    public static void reserved(String name, long first, long count, long nanos) {
        if (CAN_RECORD) {
            BlockReserved event = new BlockReserved();
            event.first = first;
            event.count = count;
            event.commit(name, nanos);
        }
    }
}
