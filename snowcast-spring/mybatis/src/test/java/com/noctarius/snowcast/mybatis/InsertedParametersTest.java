// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InsertedParametersTest {
    private static BitSet read(String sql, boolean isInsert) {
        int parameters = (int) sql.chars().filter(c -> c == '+' || c == '-').count();
        return InsertedParameters.of(sql.replace('+', '?').replace('-', '?'), parameters, isInsert);
    }

    /** Returns the expected indexes: + stands for a parameter that is inserted, and - for a parameter that is not. */
    private static BitSet expected(String sql) {
        BitSet expected = new BitSet();
        int index = 0;
        for (int c : sql.chars().toArray()) {
            if (c == '+' || c == '-') {
                expected.set(index++, c == '+');
            }
        }
        return expected;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t VALUES (+, +), (+, DEFAULT)",
                "insert into t (a, b) values (+, (select max(x) from u where k = -))",
                "INSERT INTO t SET id = +, name = +",
                "REPLACE INTO t VALUES (+)",
                "UPSERT INTO t VALUES (+)",
                "INSERT INTO t SELECT +, a FROM u WHERE b = - AND c IN (SELECT - FROM v)",
                "INSERT INTO t SELECT +, count(*) FROM u JOIN v ON u.a = v.a AND v.b = - GROUP BY c HAVING sum(d) > -",
                "INSERT INTO t SELECT + WHERE NOT EXISTS (SELECT 1 FROM t WHERE id = -)",
                "INSERT INTO t SELECT +, + FROM dual WHERE a = - UNION ALL SELECT +, + FROM dual",
                "INSERT INTO t SELECT s.* FROM (SELECT + id, + cents FROM dual) s WHERE s.id <> -",
                "INSERT INTO t VALUES (+, CASE WHEN - IS NULL THEN + ELSE + END, +)",
                "INSERT INTO t SELECT + FROM u WHERE a = CASE WHEN b THEN - ELSE - END AND c = -",
                "INSERT INTO t SELECT + FROM u WHERE value = - AND value > -",
                "INSERT INTO t VALUES (+) ON DUPLICATE KEY UPDATE a = +",
                "INSERT INTO t VALUES (+) ON CONFLICT (id) DO UPDATE SET a = + WHERE t.b = - RETURNING id",
                "INSERT ALL INTO t VALUES (+, +) INTO t VALUES (+, +) SELECT * FROM dual",
                "INSERT ALL WHEN - > 1 THEN INTO t VALUES (+) ELSE INTO u VALUES (+) SELECT * FROM dual",
                "SELECT id FROM FINAL TABLE (INSERT INTO t VALUES (+, +)) WHERE a = -",
                "WITH s AS (SELECT + AS id) INSERT INTO t SELECT id FROM s WHERE a = -",
                "WITH i AS (INSERT INTO t VALUES (+) RETURNING id) UPDATE u SET t = - WHERE id = -",
                "WITH u AS (UPDATE u SET a = - WHERE b = -) INSERT INTO t VALUES (+)",
                "MERGE INTO t USING (SELECT + id, + code) s ON (t.code = s.code AND t.x = -)"
                        + " WHEN MATCHED AND t.y = - THEN UPDATE SET a = +"
                        + " WHEN NOT MATCHED THEN INSERT (id, code) VALUES (+, +)",
                "MERGE INTO t (id, code) KEY (code) VALUES (+, +)",
                "BEGIN INSERT INTO t VALUES (+); INSERT INTO t VALUES (+); END;",
                "INSERT INTO t VALUES (+); UPDATE u SET a = - WHERE b = -; DELETE FROM v WHERE c = -; INSERT INTO t VALUES (+)",
                "INSERT INTO t VALUES ('WHERE ? ''', +, \"a ? WHERE\", `WHERE ?`, +)",
                "INSERT INTO t /* WHERE ? */ VALUES (+, $$ WHERE ? $$, $a$ ? $a$, +)",
                "INSERT INTO t SELECT + FROM u WHERE doc ?? 'key' AND a = -",
                "UPDATE t SET a = -, b = REPLACE(-, 'x', 'y') WHERE c = -",
                "UPDATE t SET a = - WHERE id IN (SELECT id FROM FINAL TABLE (INSERT INTO u VALUES (+)))",
                "SELECT - , a FROM t WHERE b = - FOR UPDATE",
                "SELECT t.merge FROM t WHERE t.insert = -",
                "DELETE FROM t WHERE a = -",
                "{call add_stamp(-, -)}"
            })
    void valuesAreInsertedAndConditionsAreNot(String sql) {
        assertThat(read(sql, false)).isEqualTo(expected(sql));
    }

    @Test
    void commentToTheEndOfALineIsSkipped() {
        BitSet second = new BitSet();
        second.set(0, 2);
        assertThat(InsertedParameters.of("INSERT INTO t -- WHERE ?\nVALUES (?, ?)", 2, false))
                .isEqualTo(second);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{call add_stamp(+, +)}", "UPDATE t SET a = -", "BEGIN add_stamp(+); END;"})
    void whatMyBatisCallsAnInsertInsertsWhateverItsTextSays(String sql) {
        assertThat(read(sql, true)).isEqualTo(expected(sql));
    }

    /** The parser does not understand MySQL's escape by a backslash, and misses the end of the string. */
    @Test
    void allCountAsInsertedWhereTheTextIsNotUnderstood() {
        BitSet all = new BitSet();
        all.set(0, 2);
        assertThat(InsertedParameters.of("INSERT INTO t VALUES ('\\'', ?, ?)", 2, false))
                .isEqualTo(all);
    }
}
