// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Arrays;
import me.ahoo.cosid.snowflake.SnowflakeId;
import org.agrona.concurrent.SnowflakeIdGenerator;

/**
 * The generators that {@link HalfTheLimit}, {@link Saturation} and {@link VirtualThreads} compare. Each has the 10
 * counter bits of snowcast's default layout.
 */
enum Contender {
    SNOWCAST("snowcast") {
        @Override
        Source open() {
            Member member = Member.start();
            SnowcastSequencer sequencer = member.sequencer(SnowcastLayout.DEFAULT);
            return new Source(sequencer::next, member::close);
        }
    },
    AGRONA("Agrona") {
        @Override
        Source open() {
            SnowflakeIdGenerator snowflake = Peers.agrona(SnowcastLayout.DEFAULT.counterBits());
            return new Source(snowflake::nextId, () -> {});
        }
    },
    COS_ID("CosId") {
        @Override
        Source open() {
            SnowflakeId snowflake = Peers.cosId(SnowcastLayout.DEFAULT.counterBits());
            return new Source(snowflake::generate, () -> {});
        }
    };

    private final String title;

    Contender(String title) {
        this.title = title;
    }

    abstract Source open();

    String title() {
        return title;
    }

    static Contender byTitle(String title) {
        return Arrays.stream(values())
                .filter(contender -> contender.title.equals(title))
                .findFirst()
                .orElseThrow();
    }

    /** A running generator, and the action that stops it. */
    record Source(IdSource ids, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }
}
