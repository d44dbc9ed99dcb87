// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parser that finds the parameters of a statement that are values of inserted rows. It excludes the parameters of
 * conditions, and of {@code UPDATE} and {@code DELETE} statements, because an object must get no ID if it only selects
 * or changes rows. A condition begins with {@code WHERE}, {@code HAVING}, {@code WHEN} or {@code ON}, but not with
 * {@code ON DUPLICATE} or {@code ON CONFLICT}. The parser understands only a small part of SQL. It skips strings,
 * quoted names and comments. The scope of a keyword ends at the latest with the parentheses, the {@code CASE} or the
 * statement that contains the keyword.
 */
final class InsertedParameters {
    private static final Pattern TOKEN = Pattern.compile(
            "'[^']*+'|\"[^\"]*+\"|`[^`]*+`|--[^\\n]*+|/\\*.*?\\*/|\\$(\\w*)\\$.*?\\$\\1\\$"
                    + "|\\?\\??|[();]|(?<word>[\\p{L}_][\\p{L}\\w$#.]*+)(?<call>\\s*+\\()?",
            Pattern.DOTALL);
    /**
     * The tokens that can precede the first word of a statement. A query in parentheses and the statement of a WITH are
     * statements, too.
     */
    private static final Set<String> BEFORE_A_STATEMENT = Set.of("", "(", ")", ";", "BEGIN");

    private final BitSet inserted = new BitSet();
    /** The parameters of the current statement that are not excluded. */
    private final BitSet values = new BitSet();

    private final Deque<Level> levels = new ArrayDeque<>();
    private final boolean isInsert;
    private boolean inserts;
    private int count;
    private String previous = "";

    /** A nesting level: a statement, the content of parentheses, or a {@code CASE}. */
    private static final class Level {
        private final boolean isCase;
        /**
         * Whether the whole level is excluded, for example as part of a condition, until a keyword such as
         * {@code INSERT}.
         */
        private boolean isClosed;

        private boolean isCondition;

        Level(boolean isCase, boolean isCondition) {
            this.isCase = isCase;
            this.isClosed = isCondition;
            this.isCondition = isCondition;
        }
    }

    private InsertedParameters(boolean isInsert) {
        this.isInsert = isInsert;
        startStatement();
    }

    /**
     * Returns the indexes of the parameters that are values of inserted rows.
     *
     * @param parameters the number of parameters that MyBatis counts; if the parser counts a different number and finds
     *     an inserted parameter, it returns all parameters
     * @param isInsert whether to treat the statement as an insert whatever its text is, because it may call a procedure
     *     that inserts
     */
    static BitSet of(String sql, int parameters, boolean isInsert) {
        InsertedParameters reading = new InsertedParameters(isInsert);
        Matcher tokens = TOKEN.matcher(sql);
        while (tokens.find()) {
            reading.read(tokens);
        }
        reading.endStatement();
        if (reading.count != parameters && !reading.inserted.isEmpty()) {
            reading.inserted.set(0, parameters);
        }
        return reading.inserted;
    }

    private void read(Matcher tokens) {
        String word = tokens.group("word");
        String token = word == null ? tokens.group() : word.toUpperCase(Locale.ROOT);
        switch (token) {
            case "?" -> readParameter();
            case "(" -> levels.push(new Level(false, level().isCondition));
            case ")" -> closeParenthesis();
            case ";" -> {
                endStatement();
                startStatement();
            }
            default -> {
                if (word == null) {
                    return; // A comment or a string is not remembered as the previous token.
                }
                readWord(token, tokens.group("call") != null);
            }
        }
        previous = token;
        if (tokens.group("call") != null) {
            levels.push(new Level(false, level().isCondition));
            previous = "(";
        }
    }

    private void readParameter() {
        values.set(count, !level().isCondition);
        count++;
    }

    private void readWord(String word, boolean isCall) {
        switch (word) {
            case "WHERE", "HAVING", "ON", "WHEN" -> level().isCondition = true;
            // ON DUPLICATE KEY UPDATE, ON CONFLICT DO UPDATE
            case "DUPLICATE", "CONFLICT" -> level().isCondition = level().isCondition && !previous.equals("ON");
            case "SELECT", "VALUES", "SET", "THEN", "ELSE" -> level().isCondition = level().isClosed;
            case "CASE" -> levels.push(new Level(true, level().isCondition));
            case "END" -> {
                if (level().isCase) {
                    levels.pop();
                }
            }
            case "UPDATE", "DELETE" -> {
                if (BEFORE_A_STATEMENT.contains(previous)) {
                    level().isClosed = true;
                    level().isCondition = true;
                }
            }
            case "INSERT", "MERGE", "REPLACE", "UPSERT" -> {
                if (!isCall) { // REPLACE(text, …) is a function, not a statement
                    inserts = true;
                    level().isClosed = false;
                    level().isCondition = false;
                }
            }
            default -> {}
        }
    }

    private void closeParenthesis() {
        while (levels.size() > 1 && levels.pop().isCase) {
            // Dropping the parenthesis also drops each CASE in it that has no END.
        }
    }

    private Level level() {
        return levels.element();
    }

    private void startStatement() {
        inserts = isInsert;
        levels.clear();
        levels.push(new Level(false, false));
    }

    private void endStatement() {
        if (inserts) {
            inserted.or(values);
        }
        values.clear();
    }
}
