// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import com.noctarius.snowcast.test.TestIntegerSequence;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.executor.statement.StatementHandler;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests, without MyBatis-Plus and Spring, that the parameters of a statement decide which objects get IDs. */
class BoundIdsTest {
    private static final String ROW = "(#{it.id}, #{it.cents})";

    private final SnowcastSequencer sequencer = SnowcastSystem.standaloneSequencer(
            SequencerConfig.builder("stamps")
                    .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
                    .build(),
            42);
    private final IntegerSequence sequence = TestIntegerSequence.named("numbers");
    private final SqlSessionFactory factory =
            factory(new SnowcastIdInterceptor(Map.of("stampBean", sequencer), Map.of("numbers", sequence)));

    static class Stamp {
        @SnowcastId("stamps")
        long id;

        int cents;

        Stamp(int cents) {
            this.cents = cents;
        }
    }

    static class SpecialStamp extends Stamp {
        SpecialStamp(int cents) {
            super(cents);
        }
    }

    static class OfBean {
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

    static class Letter {
        @SnowcastId("stamps")
        @Nullable
        Long id;

        @Nullable
        Stamp stamp;

        @Nullable
        Iterable<Stamp> stamps;

        @Nullable
        Integer cents;
    }

    static class OfGetter {
        private long number;
        int cents = 1;

        @SnowcastId("stamps")
        public long getId() {
            return number;
        }

        public void setId(long id) {
            number = id;
        }
    }

    interface HasId {
        @SnowcastId("stamps")
        @Nullable
        Long getId();
    }

    static class OfInterface implements HasId {
        private @Nullable Long id;
        int cents = 1;

        @Override
        public @Nullable Long getId() {
            return id;
        }
    }

    static class OfPrefixedField {
        @SnowcastId("stamps")
        private long mId;

        int cents;

        public long getId() {
            return mId;
        }
    }

    static class OfSequence {
        @SnowcastSequence("numbers")
        int id;

        int cents = 1;
    }

    static class OfLongSequence {
        @SnowcastSequence("numbers")
        @Nullable
        Long id;

        int cents = 2;
    }

    static class OfTextSequence {
        @SnowcastSequence("numbers")
        @Nullable
        String id;

        int cents = 3;
    }

    static class OfBoth {
        @SnowcastId("stamps")
        @SnowcastSequence("numbers")
        long id;

        int cents = 4;
    }

    record Oid(long value) {}

    static class OfType {
        @SnowcastId("stamps")
        @Nullable
        Oid id;

        int cents = 1;

        OfType(@Nullable Oid id) {
            this.id = id;
        }
    }

    abstract static class Key {
        private final long value;

        Key(long value) {
            this.value = value;
        }

        @Override
        public final String toString() {
            return "key " + value;
        }
    }

    static final class StampKey extends Key {
        StampKey(long value) {
            super(value);
        }
    }

    static class OfKey {
        @SnowcastId("stamps")
        StampKey id = new StampKey(0);

        int cents = 1;
    }

    record StampRecord(@SnowcastId("stamps") long id, int cents) {}

    record AnnotatedOid(@SnowcastId("stamps") long value) {}

    static class OfAnnotatedType {
        AnnotatedOid id = new AnnotatedOid(0);
        int cents = 1;
    }

    /** Stores an object as its number. */
    static final class NumberHandler<T> extends BaseTypeHandler<T> {
        private final ToLongFunction<T> toNumber;
        private final LongFunction<T> ofNumber;

        NumberHandler(ToLongFunction<T> toNumber, LongFunction<T> ofNumber) {
            this.toNumber = toNumber;
            this.ofNumber = ofNumber;
        }

        @Override
        public void setNonNullParameter(PreparedStatement statement, int index, T value, @Nullable JdbcType type)
                throws SQLException {
            statement.setLong(index, toNumber.applyAsLong(value));
        }

        @Override
        public T getNullableResult(ResultSet rows, String column) throws SQLException {
            return ofNumber.apply(rows.getLong(column));
        }

        @Override
        public T getNullableResult(ResultSet rows, int column) throws SQLException {
            return ofNumber.apply(rows.getLong(column));
        }

        @Override
        public T getNullableResult(CallableStatement call, int column) throws SQLException {
            return ofNumber.apply(call.getLong(column));
        }
    }

    interface Stamps {
        @Insert("<script>INSERT INTO stamps VALUES <foreach collection='sheets' item='sheet' separator=','>"
                + "<foreach collection='sheet' item='it' separator=','>" + ROW + "</foreach></foreach></script>")
        int insertSheets(@Param("sheets") List<List<Stamp>> sheets);

        @Insert(
                "<script>INSERT INTO stamps VALUES <foreach collection='albums' index='name' item='album' separator=','>"
                        + "<foreach collection='album' item='it' separator=','>" + ROW
                        + "</foreach></foreach></script>")
        int insertAlbums(@Param("albums") Map<String, List<Stamp>> albums);

        @Insert("<script>INSERT INTO stamps VALUES <foreach collection='stamps' item='it' separator=','>" + ROW
                + "</foreach></script>")
        int insertStampsOf(Letter letter);

        @Insert("<script>INSERT INTO stamps VALUES <foreach collection='letters' item='letter' separator=','>"
                + "<foreach collection='letter.stamps' item='it' separator=','>" + ROW
                + "</foreach></foreach></script>")
        int insertStampsOfAll(@Param("letters") List<Letter> letters);

        @Insert("<script>INSERT INTO stamps VALUES <foreach collection='stamps' item='it' separator=','>" + ROW
                + "</foreach></script>")
        int insertIterable(@Param("stamps") Iterable<Stamp> stamps);

        @Insert("INSERT INTO stamps VALUES (#{stamp.id}, #{stamp.cents})")
        int insertStampOf(Letter letter);

        @Insert("INSERT INTO stamps VALUES (#{letters[1].stamp.id}, #{letters[1].stamp.cents})")
        int insertStampOfTheSecond(@Param("letters") List<Letter> letters);

        @Insert("INSERT INTO stamps VALUES (#{id}, #{cents})")
        int insert(Object stamp);

        @Insert("INSERT INTO stamps VALUES (#{first.id}, #{first.cents}), (#{second.id}, #{second.cents})")
        int insertTwo(@Param("first") Stamp first, @Param("second") Stamp second);

        @Insert("<script>INSERT INTO stamps VALUES <foreach collection='array' item='it' separator=','>" + ROW
                + "</foreach></script>")
        int insertArray(Stamp[] stamps);

        @Insert("INSERT INTO stamps VALUES (#{id}, 7)")
        int insertNumber(@Nullable Long id);

        @Update("CREATE TABLE coupons (id CHAR(17) PRIMARY KEY, cents INT)")
        void createCoupons();

        @Insert("INSERT INTO coupons (id, cents) VALUES (#{id}, #{cents})")
        int insertCoupon(Coupon coupon);

        @Select("SELECT id FROM coupons")
        List<String> couponIds();

        @Update("UPDATE stamps SET cents = #{cents}")
        int update(Stamp stamp);

        @Insert("INSERT INTO stamps VALUES (#{id.value}, #{cents})")
        int insertValue(Object stamp);

        @Update("INSERT INTO stamps VALUES (#{id}, #{cents})")
        int updateThatInserts(Stamp stamp);

        @Update("MERGE INTO stamps USING (SELECT 1) ON (cents = #{cents})"
                + " WHEN NOT MATCHED THEN INSERT (id, cents) VALUES (#{id}, #{cents})")
        int merge(Stamp stamp);

        @Select("SELECT id FROM FINAL TABLE (INSERT INTO stamps VALUES (#{id}, #{cents}))")
        long insertAndRead(Stamp stamp);

        @Select("<script>SELECT id FROM FINAL TABLE (INSERT INTO stamps VALUES"
                + "<foreach collection='list' item='it' separator=','>" + ROW + "</foreach>)</script>")
        List<Long> insertAndReadAll(@Param("list") List<Stamp> stamps);

        @Insert("INSERT INTO stamps SELECT count(*), 77 FROM stamps"
                + " WHERE (#{filter.id} IS NULL OR id = #{filter.id})")
        int insertCount(@Param("filter") Letter filter);

        @Insert("<script>INSERT INTO stamps SELECT #{stamp.id}, count(*) FROM stamps"
                + "<where><if test='filter.id != null'>id = #{filter.id}</if></where></script>")
        int insertCountAs(@Param("stamp") Stamp stamp, @Param("filter") Letter filter);

        @Insert("<script>INSERT INTO stamps <trim prefix='(' suffix=')' suffixOverrides=','>"
                + "<if test='id != null'>id,</if><if test='cents != null'>cents,</if></trim>"
                + "<trim prefix='VALUES (' suffix=')' suffixOverrides=','>"
                + "<if test='id != null'>#{id},</if><if test='cents != null'>#{cents},</if></trim></script>")
        int insertSelective(Letter letter);

        @Insert("<script>INSERT INTO stamps <trim prefix='(' suffix=')' suffixOverrides=','>"
                + "<if test='stamp.id != 0'>id,</if>cents</trim> VALUES (<if test='stamp.id != 0'>#{stamp.id},</if>"
                + "#{stamp.cents})</script>")
        int insertSelectiveStampOf(Letter letter);

        @Insert("<script><bind name='key' value='id'/>INSERT INTO stamps VALUES (#{key}, #{cents})</script>")
        int insertBound(Letter letter);

        @Insert("<script>INSERT INTO stamps VALUES (77, <if test='cents != null'>#{cents}</if>)</script>")
        int insertWithoutId(Letter letter);

        @Insert("INSERT INTO stamps VALUES (77, #{cents})")
        int insertCents(Stamp stamp);

        @Select("SELECT count(*) FROM stamps WHERE id = #{id}")
        int count(Stamp stamp);

        @Select("SELECT id FROM stamps ORDER BY cents")
        List<Long> ids();
    }

    /** An interceptor without effect, before and after snowcast's interceptor, so that proxies nest in both orders. */
    @Intercepts(
            @Signature(
                    type = StatementHandler.class,
                    method = "parameterize",
                    args = {java.sql.Statement.class}))
    static final class OtherInterceptor implements Interceptor {
        @Override
        public @Nullable Object intercept(Invocation invocation) throws Throwable {
            return invocation.proceed();
        }
    }

    private static SqlSessionFactory factory(SnowcastIdInterceptor interceptor) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;INIT="
                + "CREATE TABLE IF NOT EXISTS stamps (id BIGINT DEFAULT -1 PRIMARY KEY\\, cents INT)");
        Configuration configuration =
                new Configuration(new Environment("test", new JdbcTransactionFactory(), database));
        configuration.getTypeHandlerRegistry().register(Oid.class, new NumberHandler<>(Oid::value, Oid::new));
        configuration
                .getTypeHandlerRegistry()
                .register(AnnotatedOid.class, new NumberHandler<>(AnnotatedOid::value, AnnotatedOid::new));
        configuration.addInterceptor(new OtherInterceptor());
        configuration.addInterceptor(interceptor);
        configuration.addInterceptor(new OtherInterceptor());
        configuration.addMapper(Stamps.class);
        return new SqlSessionFactoryBuilder().build(configuration);
    }

    private List<Long> inserted(Consumer<Stamps> work) {
        try (SqlSession session = factory.openSession(true)) {
            work.accept(session.getMapper(Stamps.class));
            return session.getMapper(Stamps.class).ids();
        }
    }

    private void requireIds(List<Long> ids, Stamp... stamps) {
        assertThat(ids)
                .containsExactlyElementsOf(
                        Stream.of(stamps).map(stamp -> stamp.id).toList());
        requireIds(ids, stamps.length);
    }

    private void requireIds(List<Long> ids, int count) {
        assertThat(ids)
                .hasSize(count)
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(sequencer.logicalNodeId(id)).isEqualTo(42));
    }

    private static Letter letter(Stamp... stamps) {
        Letter letter = new Letter();
        letter.stamps = List.of(stamps);
        letter.stamp = stamps.length == 0 ? null : stamps[0];
        return letter;
    }

    private final Stamp first = new Stamp(1);
    private final Stamp second = new Stamp(2);
    private final Stamp third = new Stamp(3);

    @Test
    void objectsGetIdsOfTheSequencerThatTheyNameByItsNameOrItsBeans() {
        Stamp special = new SpecialStamp(2);
        OfBean ofBean = new OfBean();
        ofBean.cents = 3;
        List<Long> ids = inserted(stamps -> List.of(first, special, ofBean).forEach(stamps::insert));
        requireIds(ids, 3);
        assertThat(ids).containsExactly(first.id, special.id, ofBean.id);
    }

    @Test
    void eachOfSeveralParametersAndEachElementOfAnArrayGetsAnId() {
        Stamp fourth = new Stamp(4);
        requireIds(
                inserted(stamps -> {
                    stamps.insertTwo(first, second);
                    stamps.insertArray(new Stamp[] {third, fourth});
                }),
                first,
                second,
                third,
                fourth);
    }

    @Test
    void idThatIsSetStaysAndUpdatesGetNone() {
        first.id = 17;
        assertThat(inserted(stamps -> {
                    stamps.insert(first);
                    stamps.update(second);
                }))
                .containsExactly(17L);
        assertThat(second.id).isZero();
    }

    @Test
    void statementsWithoutSuchObjectsAreLeftAlone() {
        assertThat(inserted(stamps -> stamps.insertNumber(8L))).containsExactly(8L);
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> inserted(stamps -> stamps.insertNumber(null)))
                .withMessageContaining("NULL not allowed");
    }

    static Stream<Arguments> wrongAnnotations() {
        return Stream.of(
                Arguments.of(
                        new OfUnknown(),
                        "@SnowcastId(\"unknown\") " + OfUnknown.class.getName()
                                + ".id: there is no sequencer \"unknown\"; there are: [stampBean, stamps]"),
                Arguments.of(
                        new OfInteger(),
                        "@SnowcastId " + OfInteger.class.getName()
                                + ".id must be long, Long, String or UUID, or a record"
                                + " or class that wraps one of them, not int; @SnowcastSequence makes integers"
                                + " of 32 bits"),
                Arguments.of(
                        new OfTextSequence(),
                        "@SnowcastSequence " + OfTextSequence.class.getName()
                                + ".id must be int or Integer or long or Long, not java.lang.String"),
                Arguments.of(
                        new OfBoth(),
                        OfBoth.class.getName() + ".id must not have both @SnowcastId and @SnowcastSequence"));
    }

    @ParameterizedTest
    @MethodSource("wrongAnnotations")
    void wrongAnnotationsAreRefused(Object stamp, String message) {
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> inserted(stamps -> stamps.insert(stamp)))
                .havingRootCause()
                .withMessage(message);
    }

    @Test
    void textWithAPrefixIsStored() {
        Coupon coupon = new Coupon();
        inserted(stamps -> {
            stamps.createCoupons();
            stamps.insertCoupon(coupon);
            assertThat(stamps.couponIds()).containsExactly(coupon.id);
            assertThat(SnowflakeId.parsePrefixed("cpn_", Objects.requireNonNull(coupon.id)))
                    .isPositive();
        });
    }

    @Test
    void aBatchOfListsOfListsGetsIds() {
        Stamp[] all = Stream.iterate(0, i -> i + 1).limit(1_000).map(Stamp::new).toArray(Stamp[]::new);
        try (SqlSession session = factory.openSession(ExecutorType.BATCH, false)) {
            for (int i = 0; i < 1_000; i += 100) {
                session.getMapper(Stamps.class)
                        .insertSheets(List.of(
                                List.of(all).subList(i, i + 30), List.of(all).subList(i + 30, i + 100)));
            }
            session.commit();
        }
        requireIds(inserted(stamps -> {}), all);
    }

    @Test
    void elementsOfListsInAMapGetIds() {
        Map<String, List<Stamp>> albums = new LinkedHashMap<>();
        albums.put("a", List.of(first, second));
        albums.put("b", List.of(third));
        requireIds(inserted(stamps -> stamps.insertAlbums(albums)), first, second, third);
    }

    @Test
    void elementsOfAListInTheParameterGetIdsAndTheParameterNone() {
        Letter letter = letter(first, second);
        requireIds(inserted(stamps -> stamps.insertStampsOf(letter)), first, second);
        assertThat(letter.id).isNull();
    }

    @Test
    void elementsOfListsInElementsGetIds() {
        requireIds(
                inserted(stamps -> stamps.insertStampsOfAll(List.of(letter(first, second), letter(third)))),
                first,
                second,
                third);
    }

    @Test
    void elementsOfAnIterableGetIds() {
        requireIds(
                inserted(stamps ->
                        stamps.insertIterable(() -> Stream.of(first, second).iterator())),
                first,
                second);
    }

    /** Each iteration, and so each evaluation of the statement, creates new objects. */
    @Test
    void elementsThatAreMadeWhileTheyAreIteratedGetIds() {
        requireIds(
                inserted(stamps -> stamps.insertIterable(
                        () -> Stream.of(1, 2, 3).map(Stamp::new).iterator())),
                3);
    }

    @Test
    void aPropertyOfTheParameterGetsAnId() {
        requireIds(inserted(stamps -> stamps.insertStampOf(letter(first))), first);
    }

    @Test
    void anElementThatIsNamedByItsIndexGetsAnId() {
        requireIds(inserted(stamps -> stamps.insertStampOfTheSecond(List.of(letter(first), letter(second)))), second);
        assertThat(first.id).isZero();
    }

    @Test
    void anObjectThatIsAbsentIsNull() {
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> inserted(stamps -> stamps.insertStampOf(letter())))
                .withMessageContaining("NULL not allowed");
    }

    @Test
    void annotatedGettersCount() {
        OfGetter ofGetter = new OfGetter();
        OfInterface ofInterface = new OfInterface();
        ofInterface.cents = 2;
        List<Long> ids = inserted(stamps -> {
            stamps.insert(ofGetter);
            stamps.insert(ofInterface);
        });
        requireIds(ids, 2);
        assertThat(ids).containsExactly(ofGetter.number, ofInterface.id);
    }

    @Test
    void aFieldOfAnotherNameThanItsGetterGetsTheId() {
        OfPrefixedField stamp = new OfPrefixedField();
        List<Long> ids = inserted(stamps -> stamps.insert(stamp));
        requireIds(ids, 1);
        assertThat(ids).containsExactly(stamp.mId);
    }

    @Test
    void otherStatementsThatInsertGiveIds() {
        requireIds(
                inserted(stamps -> {
                    stamps.updateThatInserts(first);
                    stamps.merge(second);
                    assertThat(stamps.insertAndRead(third)).isEqualTo(third.id);
                }),
                first,
                second,
                third);
        Stamp fourth = new Stamp(4);
        assertThat(inserted(stamps -> stamps.insertAndReadAll(List.of(fourth)))).endsWith(fourth.id);
    }

    /** If both queries bound 0, MyBatis would return the cached result for the second one. */
    @Test
    void queriesThatInsertEqualRowsInsertBoth() {
        Stamp equal = new Stamp(1);
        List<Long> ids = inserted(stamps -> {
            stamps.insertAndRead(first);
            stamps.insertAndRead(equal);
        });
        assertThat(ids).containsExactlyInAnyOrder(first.id, equal.id);
        requireIds(ids, 2);
    }

    @Test
    void queriesGiveNoIds() {
        inserted(stamps -> assertThat(stamps.count(first)).isZero());
        assertThat(first.id).isZero();
    }

    @Test
    void whatSelectsRowsGetsNoId() {
        Letter filter = new Letter();
        List<Long> ids = inserted(stamps -> {
            stamps.insert(first);
            stamps.insertCount(filter);
        });
        assertThat(ids).containsExactly(first.id, 1L);
        assertThat(filter.id).isNull();
    }

    @Test
    void whatSelectsRowsByAConditionGetsNoId() {
        Letter filter = new Letter();
        first.cents = -1;
        second.cents = -2;
        List<Long> ids = inserted(stamps -> {
            stamps.insert(first);
            stamps.insert(second);
            stamps.insertCountAs(third, filter);
        });
        requireIds(ids, second, first, third);
        assertThat(filter.id).isNull();
    }

    @Test
    void anIdIsThereWhenAConditionIsEvaluated() {
        Letter letter = letter(second);
        letter.cents = 1;
        List<Long> ids = inserted(stamps -> {
            stamps.insertSelective(letter);
            stamps.insertSelectiveStampOf(letter);
        });
        requireIds(ids, 2);
        assertThat(ids).containsExactly(letter.id, second.id);
    }

    @Test
    void anIdIsThereWhenAVariableIsBound() {
        Letter letter = letter();
        letter.cents = 1;
        List<Long> ids = inserted(stamps -> stamps.insertBound(letter));
        requireIds(ids, 1);
        assertThat(ids).containsExactly(letter.id);
    }

    @Test
    void anObjectWhoseIdIsNotInsertedGetsNone() {
        Letter letter = letter();
        letter.cents = 1;
        assertThat(inserted(stamps -> stamps.insertWithoutId(letter))).containsExactly(77L);
        assertThat(letter.id).isNull();
        first.id = 0;
        first.cents = 0;
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> inserted(stamps -> stamps.insertCents(first)))
                .withMessageContaining("primary key violation");
        assertThat(first.id).isZero();
    }

    @Test
    void integersComeFromTheSequence() {
        OfSequence ofInt = new OfSequence();
        OfLongSequence ofLong = new OfLongSequence();
        assertThat(inserted(stamps -> {
                    stamps.insert(ofInt);
                    stamps.insert(ofLong);
                }))
                .containsExactly(1L, 2L);
        assertThat(ofInt.id).isOne();
        assertThat(ofLong.id).isEqualTo(2);
    }

    /** Truncated to 32 bits, the integer would be negative, and integers would repeat later. */
    @Test
    void anIntegerThatAnIntCannotHoldIsRefused() {
        long last = Integer.MAX_VALUE;
        IntegerSequence large = TestIntegerSequence.of(IntegerSequenceConfig.builder("numbers")
                .firstValue(last)
                .lastValue(Long.MAX_VALUE)
                .build());
        SqlSessionFactory ofLarge =
                factory(new SnowcastIdInterceptor(Map.of("stamps", sequencer), Map.of("numbers", large)));
        try (SqlSession session = ofLarge.openSession(true)) {
            Stamps stamps = session.getMapper(Stamps.class);
            stamps.insert(new OfSequence());
            assertThatExceptionOfType(PersistenceException.class)
                    .isThrownBy(() -> stamps.insert(new OfSequence()))
                    .havingRootCause()
                    .withMessage("@SnowcastSequence " + OfSequence.class.getName() + ".id cannot hold " + (last + 1)
                            + ", which is above " + last + "; make it a long");
            assertThat(stamps.ids()).containsExactly(last);
        }
    }

    @Test
    void anIntegerSequenceThatIsUnknownIsRefused() {
        SqlSessionFactory withoutSequences = factory(new SnowcastIdInterceptor(Map.of("stamps", sequencer)));
        try (SqlSession session = withoutSequences.openSession(true)) {
            Stamps stamps = session.getMapper(Stamps.class);
            assertThatExceptionOfType(PersistenceException.class)
                    .isThrownBy(() -> stamps.insert(new OfSequence()))
                    .havingRootCause()
                    .withMessage("@SnowcastSequence(\"numbers\") " + OfSequence.class.getName()
                            + ".id: there is no integer sequence \"numbers\"; there are: []");
            assertThat(stamps.ids()).isEmpty();
        }
    }

    @Test
    void typesMadeOfZeroGetIds() {
        OfType ofType = new OfType(new Oid(0));
        OfType ofNull = new OfType(null);
        OfType ofValue = new OfType(new Oid(0));
        OfKey ofKey = new OfKey();
        List<Long> ids = inserted(stamps -> {
            stamps.insert(ofType);
            stamps.insert(ofNull);
            stamps.insertValue(ofValue);
            stamps.insertValue(ofKey);
        });
        requireIds(ids, 4);
        assertThat(Stream.of(ofType, ofNull, ofValue).map(stamp -> stamp.id)).doesNotContainNull();
    }

    @Test
    void typesMadeOfAnIdKeepIt() {
        OfKey key = new OfKey();
        key.id = new StampKey(18);
        key.cents = 2;
        assertThat(inserted(stamps -> {
                    stamps.insert(new OfType(new Oid(17)));
                    stamps.insertValue(key);
                }))
                .containsExactly(17L, 18L);
    }

    @Test
    void recordsAreRefusedWhoseIdWouldBeZero() {
        for (Consumer<Stamps> work : List.<Consumer<Stamps>>of(
                stamps -> stamps.insert(new StampRecord(0, 1)),
                stamps -> stamps.insert(new OfAnnotatedType()),
                stamps -> stamps.insertValue(new OfAnnotatedType()))) {
            assertThatExceptionOfType(PersistenceException.class)
                    .isThrownBy(() -> inserted(work))
                    .havingRootCause()
                    .withMessageMatching("@SnowcastId .* would be stored as 0 or null, and cannot get an ID:"
                            + " it has no setter and no field that can be set\\. Annotate a property that can be set, of"
                            + " the object that is inserted, or set the ID before");
        }
        assertThat(inserted(stamps -> stamps.insert(new StampRecord(17, 1)))).containsExactly(17L);
    }
}
