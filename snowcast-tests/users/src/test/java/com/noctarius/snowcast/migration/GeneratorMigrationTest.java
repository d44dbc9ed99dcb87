// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import com.github.f4b6a3.tsid.Tsid;
import com.github.f4b6a3.tsid.TsidCreator;
import com.github.f4b6a3.tsid.TsidFactory;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.ids.SnowflakeId;
import io.hypersistence.tsid.TSID;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import me.ahoo.cosid.converter.Radix62IdConverter;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import me.ahoo.cosid.snowflake.SafeJavaScriptSnowflakeId;
import me.ahoo.cosid.snowflake.SecondSnowflakeId;
import org.agrona.concurrent.SnowflakeIdGenerator;
import org.agrona.concurrent.SystemEpochClock;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests docs/migration with IDs of the generators that it describes, in their default configuration. */
class GeneratorMigrationTest {
    private static final int HIGHEST_NODE = 1_023;

    /** The generators with the epoch and layout of their page, and the node ID that they have, or -1 for any. */
    static Stream<Arguments> generators() throws IOException {
        Page snowflake = Page.of("snowflake.md");
        Page tsid = Page.of("tsid.md");
        DefaultIdentifierGenerator mybatisPlus = new DefaultIdentifierGenerator(31, 31);
        SnowflakeIdGenerator twitters = new SnowflakeIdGenerator(
                SnowflakeIdGenerator.NODE_ID_BITS_DEFAULT,
                SnowflakeIdGenerator.SEQUENCE_BITS_DEFAULT,
                HIGHEST_NODE,
                snowflake.epoch().getEpochOffset(),
                SystemEpochClock.INSTANCE);
        ClockSyncSnowflakeId cosId = new ClockSyncSnowflakeId(new MillisecondSnowflakeId(HIGHEST_NODE));
        return Stream.of(
                generator("MyBatis-Plus", snowflake, HIGHEST_NODE, () -> mybatisPlus.nextId(new Object())),
                generator("Twitter's layout", snowflake, HIGHEST_NODE, twitters::nextId),
                generator("TSID Creator", tsid, -1, () -> TsidCreator.getTsid().toLong()),
                generator(
                        "Hypersistence TSID",
                        tsid,
                        -1,
                        () -> TSID.Factory.getTsid().toLong()),
                generator("CosId", Page.of("cosid.md"), HIGHEST_NODE, cosId::generate));
    }

    private static Arguments generator(String name, Page page, int node, Supplier<Long> generator) {
        return arguments(Named.of(name, page), node, generator);
    }

    @ParameterizedTest
    @MethodSource("generators")
    void idsReadAsThoseOfTheSequencer(Page page, int node, Supplier<Long> generator) {
        SnowflakeId id = SnowflakeId.of(generator.get(), page.layout(), page.epoch());
        assertThat(Duration.between(id.instant(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        assertThat(node).isIn(-1, id.logicalNodeId());
    }

    @ParameterizedTest
    @MethodSource("generators")
    void goesOnAboveAndRefusesANewEpoch(Page page, int node, Supplier<Long> generator) throws InterruptedException {
        List<Long> old = Successor.idsOf(generator);
        Successor.standalone().goesOnAbove(old, page);
        Successor.standalone().isRefusedWithANewEpoch(old, page.layout());
    }

    @Test
    void textsAreTheSame() throws IOException {
        Page page = Page.of("tsid.md");
        Tsid tsid = TsidCreator.getTsid();
        assertThat(SnowflakeId.of(tsid.toLong(), page.layout(), page.epoch()).instant())
                .isEqualTo(tsid.getInstant());
        assertThat(SnowflakeId.toBase32(tsid.toLong())).isEqualTo(tsid.toString());
        TSID other = TSID.Factory.getTsid();
        assertThat(SnowflakeId.of(other.toLong(), page.layout(), page.epoch()).instant())
                .isEqualTo(other.getInstant());
        assertThat(SnowflakeId.toBase32(other.toLong())).isEqualTo(other.toString());
        long ofCosId = new MillisecondSnowflakeId(HIGHEST_NODE).generate();
        assertThat(SnowflakeId.toBase62(ofCosId)).isEqualTo(Radix62IdConverter.PAD_START.asString(ofCosId));
    }

    /** The factory has four IDs per millisecond. When these are used up, it takes IDs of later milliseconds. */
    @Test
    void goesOnAboveTsidsThatAreAheadOfTheClock() throws Exception {
        Page page = Page.of("tsid.md");
        TsidFactory factory = TsidFactory.builder().withNodeBits(20).withNode(0).build();
        List<Long> old =
                Stream.generate(factory::create).limit(2_000).map(Tsid::toLong).toList();
        SnowflakeId highest = SnowflakeId.of(Successor.highest(old), page.layout(), page.epoch());
        assertThat(highest.instant()).isAfter(Instant.now());
        Successor.standalone().goesOnAbove(old, page);
    }

    /**
     * CosId's epoch is a number of seconds, but this generator uses it as a number of milliseconds. The page's table
     * has the resulting epoch.
     */
    @Test
    void goesOnAboveWhatIsSafeInJavaScript() throws Exception {
        Page page = Page.of("cosid.md");
        List<Long> old = Successor.idsOf(SafeJavaScriptSnowflakeId.ofMillisecond(7)::generate);
        Matcher epoch = Pattern.compile("`javascript`, epoch (\\S+Z)").matcher(page.text());
        assertThat(epoch.find()).isTrue();
        Instant instant = Instant.parse(epoch.group(1));
        Successor.standalone().goesOnAbove(old, SnowcastEpoch.byInstant(instant), SnowcastLayout.JAVASCRIPT);
        Successor.standalone().requireRefused(old, page.epoch(), SnowcastLayout.JAVASCRIPT);
    }

    /**
     * These IDs grow in a second as much as IDs of the page's layout grow in 1,024 ms, so the page's epoch is not early
     * enough.
     */
    @Test
    void epochOfSecondsIsTheOneThatTheMessageNames() throws Exception {
        Page page = Page.of("cosid.md");
        List<Long> old = Successor.idsOf(new SecondSnowflakeId(HIGHEST_NODE)::generate);
        Successor.standalone().requireRefused(old, page.epoch(), page.layout());
    }
}
