// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * This server, if its node IDs come from a database. It then shows no members and no clients.
 *
 * @param server this process, as the page shows it
 */
record DatabaseProcess(Status.Server server) implements Neighbours {
    /** Matches the parts of a database URL that may contain passwords: the user before the host, and all settings. */
    private static final Pattern SECRETS = Pattern.compile("(?<=//)[^?;]*@|[?;&].*");

    static DatabaseProcess of(String name, DataSource dataSource) throws SQLException {
        String url = dataSource.isWrapperFor(HikariDataSource.class)
                ? dataSource.unwrap(HikariDataSource.class).getJdbcUrl()
                : null;
        return new DatabaseProcess(new Status.Server(
                UUID.randomUUID().toString(),
                name,
                "process",
                url == null ? "of the application" : withoutSecrets(url)));
    }

    static String withoutSecrets(String url) {
        return SECRETS.matcher(url.replaceFirst("^jdbc:", "")).replaceAll("");
    }

    @Override
    public @Nullable List<Status.Member> members() {
        return null;
    }

    @Override
    public @Nullable List<Status.Client> clients() {
        return null;
    }
}
