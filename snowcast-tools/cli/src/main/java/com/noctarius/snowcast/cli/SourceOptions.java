// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select a cluster or a database. */
final class SourceOptions {
    @Mixin
    private final ClusterOptions cluster;

    @Mixin
    private final DatabaseLogin database;

    @Option(names = "--table-prefix", description = "The prefix of the tables of the database; snowcast by default.")
    private String tablePrefix = "snowcast";

    SourceOptions(Terminal terminal) {
        this.cluster = new ClusterOptions(terminal);
        this.database = new DatabaseLogin(terminal);
    }

    /** Connects to the database if the options name one, otherwise to the cluster. */
    Source open(boolean isVerbose) throws IOException {
        if (!database.isGiven()) {
            return Cluster.connect(cluster, isVerbose);
        }
        if (cluster.isGiven()) {
            throw new WrongUseException("--jdbc, which selects a database, must not be given together with --address,"
                    + " --cluster-name or --client-config, which select a cluster");
        }
        return Database.open(database, tablePrefix, isVerbose);
    }
}
