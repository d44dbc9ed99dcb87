// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.peers.Subject.Need;
import java.util.Arrays;
import java.util.List;

/** A kind of fault: of a process, of the database, or of the network of the cluster. */
enum Fault {
    KILL("killed, starts again under its name"),
    KILL_RENAMED("killed, starts again under another name"),
    PAUSE("paused for longer than a lease"),
    PAUSE_REPLACED("paused, and replaced under its name"),
    PAUSE_REPLACED_RENAMED("paused, and replaced under another name"),
    CLOCK_BACK("its clock is set back"),
    CLOCK_AHEAD("its clock is set ahead"),
    RESTART_CLOCK_BACK("starts again with its clock behind"),
    TWIN("another process has its name and host"),
    CROWD("many processes start at once"),
    DATABASE_FROZEN("the database is frozen", Need.DATABASE),
    DATABASE_KILLED("the database is killed", Need.DATABASE),
    DATABASE_DUMP("the database is restored from a dump", Need.DATABASE),
    DATABASE_POINT_IN_TIME("the database is restored to a point in time", Need.DATABASE),
    SPLIT("the network splits", Need.CLUSTER);

    private final String title;
    /** Only generators with this need can have the fault; NOTHING stands for all generators. */
    private final Need happensTo;

    Fault(String title) {
        this(title, Need.NOTHING);
    }

    Fault(String title, Need happensTo) {
        this.title = title;
        this.happensTo = happensTo;
    }

    String title() {
        return title;
    }

    /** Returns the letter of this fault in the tables. */
    @SuppressWarnings("EnumOrdinal")
    String letter() {
        return Character.toString('a' + ordinal());
    }

    boolean reaches(Need need) {
        return happensTo == Need.NOTHING || happensTo == need;
    }

    boolean isOfClock() {
        return this == CLOCK_BACK || this == CLOCK_AHEAD || this == RESTART_CLOCK_BACK;
    }

    static List<Fault> all() {
        return Arrays.asList(values());
    }
}
