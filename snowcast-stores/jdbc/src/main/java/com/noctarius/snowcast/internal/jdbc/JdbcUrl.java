// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.jdbc;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The URL of a database. Messages do not contain it, because it may contain passwords and SQL statements. */
public record JdbcUrl(String url) {
    /** Matches the value of a setting, or a password that precedes the host. */
    private static final Pattern SETTING = Pattern.compile("[?;&]\\s*([\\w.]+)=([^?;&]*)|//[^/@:]*(:)([^/@]*)@");

    private static final Pattern PUBLIC_VALUE = Pattern.compile("\\w{0,3}|(?i:true|false)|\\d+");

    /**
     * Returns the part {@code jdbc:name}, for example {@code jdbc:mysql}; the text {@code the URL} if there is no
     * second colon.
     */
    public String product() {
        int end = url.indexOf(':', url.indexOf(':') + 1);
        return end < 0 ? "the URL" : url.substring(0, end);
    }

    /** Returns the exception without secrets, and without its cause, whose message may have the same secrets. */
    public SQLException withoutSecrets(SQLException failure) {
        String state = " (SQLState " + failure.getSQLState() + ", error " + failure.getErrorCode() + ")";
        String message = String.valueOf(failure.getMessage());
        if (hasStatement()) {
            // The driver may quote the URL in parts, which the replacement below does not find.
            message = "could not connect; the message of the driver is not shown, as it may quote the INIT= of the URL";
        }
        for (String secret : secrets()) {
            message = message.replace(secret, "***");
        }
        String shown = product() + ": " + message.replace(url, "the URL") + state;
        return failure instanceof SQLTimeoutException
                ? new SQLTimeoutException(shown, failure.getSQLState(), failure.getErrorCode())
                : new SQLException(shown, failure.getSQLState(), failure.getErrorCode());
    }

    private boolean hasStatement() {
        return Pattern.compile("[?;&]\\s*INIT=", Pattern.CASE_INSENSITIVE)
                .matcher(url)
                .find();
    }

    private List<String> secrets() {
        return SETTING.matcher(url)
                .results()
                .filter(setting -> !"user".equalsIgnoreCase(setting.group(1)))
                .map(JdbcUrl::value)
                .filter(value -> !PUBLIC_VALUE.matcher(value).matches())
                .toList();
    }

    private static String value(MatchResult setting) {
        return setting.group(2) == null ? setting.group(4) : setting.group(2);
    }
}
