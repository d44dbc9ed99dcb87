// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.persistence.SnowcastId;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** MyBatis alone: neither MyBatis-Plus nor Spring takes part. */
class SnowcastIdInterceptorTest {
    private static final String INSERT = "INSERT INTO stamps VALUES (#{id}, #{cents})";

    private final SnowcastSequencer sequencer = SnowcastSystem.standaloneSequencer(
            SequencerConfig.builder("stamps")
                    .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
                    .build(),
            42);
    private final SqlSessionFactory factory = factory();

    static class Stamp {
        @SnowcastId("stamps")
        private long id;

        private final int cents;

        Stamp(int cents) {
            this.cents = cents;
        }

        int cents() {
            return cents;
        }
    }

    /** The identifier is in a superclass. */
    static class SpecialStamp extends Stamp {
        SpecialStamp(int cents) {
            super(cents);
        }
    }

    static class Wrapped {
        @SnowcastId("stampBean")
        @Nullable
        Long id;

        int cents;
    }

    static class OfUnknown {
        @SnowcastId("unknown")
        long id;

        int cents;
    }

    static class OfInteger {
        @SnowcastId("stamps")
        int id;

        int cents;
    }

    static class Coupon {
        @SnowcastId(value = "stamps", prefix = "cpn_")
        @Nullable
        String id;

        int cents;
    }

    interface Stamps {
        @Update("CREATE TABLE coupons (id CHAR(17) PRIMARY KEY, cents INT)")
        void createCoupons();

        @Insert("INSERT INTO coupons (id, cents) VALUES (#{id}, #{cents})")
        int insertCoupon(Coupon coupon);

        @Select("SELECT id FROM coupons")
        List<String> couponIds();

        @Insert(INSERT)
        int insert(Stamp stamp);

        @Insert(INSERT)
        int insertWrapped(Wrapped stamp);

        @Insert("INSERT INTO stamps VALUES (#{first.id}, #{first.cents}), (#{second.id}, #{second.cents})")
        int insertTwo(@Param("first") Stamp first, @Param("second") Stamp second);

        @Insert("<script>INSERT INTO stamps VALUES <foreach collection='list' item='it' separator=','>"
                + "(#{it.id}, #{it.cents})</foreach></script>")
        int insertList(@Param("list") List<Stamp> stamps);

        @Insert("<script>INSERT INTO stamps VALUES <foreach collection='array' item='it' separator=','>"
                + "(#{it.id}, #{it.cents})</foreach></script>")
        int insertArray(Stamp[] stamps);

        @Insert("INSERT INTO stamps VALUES (7, 7)")
        int insertNothing();

        @Insert("INSERT INTO stamps VALUES (#{id}, 7)")
        int insertNumber(@Nullable Long id);

        @Insert(INSERT)
        int insertUnknown(OfUnknown stamp);

        @Insert(INSERT)
        int insertInteger(OfInteger stamp);

        @Update("UPDATE stamps SET cents = #{cents}")
        int update(Stamp stamp);

        @Select("SELECT id FROM stamps ORDER BY cents")
        List<Long> ids();
    }

    private SqlSessionFactory factory() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;INIT="
                + "CREATE TABLE IF NOT EXISTS stamps (id BIGINT PRIMARY KEY\\, cents INT)");
        Configuration configuration =
                new Configuration(new Environment("test", new JdbcTransactionFactory(), database));
        configuration.addInterceptor(new SnowcastIdInterceptor(Map.of("stampBean", sequencer)));
        configuration.addMapper(Stamps.class);
        return new SqlSessionFactoryBuilder().build(configuration);
    }

    private <T> T withStamps(Function<Stamps, T> work) {
        try (SqlSession session = factory.openSession(true)) {
            return work.apply(session.getMapper(Stamps.class));
        }
    }

    private List<Long> ids() {
        return withStamps(Stamps::ids);
    }

    private void requireIds(Stamp... stamps) {
        assertThat(ids())
                .containsExactlyElementsOf(
                        Stream.of(stamps).map(stamp -> stamp.id).toList());
        assertThat(ids())
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(sequencer.logicalNodeId(id)).isEqualTo(42));
    }

    @Test
    void objectsGetIdsOfTheSequencerThatTheyName() {
        Stamp stamp = new Stamp(1);
        Stamp special = new SpecialStamp(2);
        withStamps(stamps -> stamps.insert(stamp) + stamps.insert(special));
        requireIds(stamp, special);
    }

    @Test
    void beansNameOfASequencerIsKnownToo() {
        Wrapped stamp = new Wrapped();
        withStamps(stamps -> stamps.insertWrapped(stamp));
        assertThat(ids()).containsExactly(stamp.id);
    }

    @Test
    void eachOfSeveralParametersGetsAnId() {
        Stamp first = new Stamp(1);
        Stamp second = new Stamp(2);
        withStamps(stamps -> stamps.insertTwo(first, second));
        requireIds(first, second);
    }

    @Test
    void eachElementOfAListOrArrayGetsAnId() {
        Stamp[] stamps = {new Stamp(1), new Stamp(2), new Stamp(3), new Stamp(4)};
        withStamps(mapper -> mapper.insertList(Arrays.asList(stamps[0], stamps[1])));
        withStamps(mapper -> mapper.insertArray(new Stamp[] {stamps[2], stamps[3]}));
        requireIds(stamps);
    }

    @Test
    void batchesGetIds() {
        Stamp[] stamps = {new Stamp(1), new Stamp(2), new Stamp(3)};
        try (SqlSession session = factory.openSession(ExecutorType.BATCH, false)) {
            for (Stamp stamp : stamps) {
                session.getMapper(Stamps.class).insert(stamp);
            }
            session.commit();
        }
        requireIds(stamps);
    }

    @Test
    void idThatIsSetStays() {
        Stamp stamp = new Stamp(1);
        stamp.id = 17;
        withStamps(stamps -> stamps.insert(stamp));
        assertThat(ids()).containsExactly(17L);
    }

    @Test
    void statementsWithoutSuchObjectsAreLeftAlone() {
        withStamps(stamps -> stamps.insertNothing() + stamps.insertNumber(8L));
        assertThat(ids()).containsExactlyInAnyOrder(7L, 8L);
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> withStamps(stamps -> stamps.insertNumber(null)))
                .withMessageContaining("NULL not allowed");
    }

    @Test
    void updatesGetNoId() {
        Stamp stamp = new Stamp(1);
        withStamps(stamps -> stamps.update(stamp));
        assertThat(stamp.id).isZero();
    }

    @Test
    void unknownSequencerIsRefused() {
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> withStamps(stamps -> stamps.insertUnknown(new OfUnknown())))
                .havingRootCause()
                .withMessage("@SnowcastId(\"unknown\") " + OfUnknown.class.getName()
                        + ".id: there is no sequencer \"unknown\"; there are: [stampBean, stamps]");
    }

    @Test
    void textWithAPrefixIsStored() {
        Coupon coupon = new Coupon();
        List<String> stored = withStamps(stamps -> {
            stamps.createCoupons();
            stamps.insertCoupon(coupon);
            return stamps.couponIds();
        });
        assertThat(stored).containsExactly(coupon.id);
        assertThat(SnowflakeId.parsePrefixed("cpn_", stored.get(0))).isPositive();
    }

    @Test
    void otherTypeIsRefused() {
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> withStamps(stamps -> stamps.insertInteger(new OfInteger())))
                .havingRootCause()
                .withMessage("@SnowcastId " + OfInteger.class.getName()
                        + ".id must be long, Long, String or UUID, or a record or class that is made of one of them alone, not int;"
                        + " @SnowcastSequence makes integers of 32 bits");
    }

    @Test
    @SuppressWarnings("NullAway") // what callers without nullness checks may do
    void refusesNull() {
        assertThatNullPointerException()
                .isThrownBy(() -> new SnowcastIdInterceptor(null))
                .withMessage("sequencers");
    }
}
