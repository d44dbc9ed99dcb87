// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a process is started with.
 *
 * @param subject the name of the generator
 * @param name of the process, as of a pod or a host; two processes may have the same
 * @param number of the name, for generators that are configured with a number
 * @param isOfCrowd whether it is one of many that start at once
 * @param url of the database, or empty
 * @param address of the process in its network
 * @param members the addresses of the cluster's members
 * @param lease how long a lease or guard is
 * @param perSecond how many IDs it takes per second
 * @param directory for files of the generator that outlive the process; another one for each name
 * @param log where the calls are written
 */
record Setup(
        String subject,
        String name,
        int number,
        boolean isOfCrowd,
        String url,
        String address,
        List<String> members,
        Duration lease,
        int perSecond,
        Path directory,
        Path log) {
    private static final String NONE = "-";

    List<String> toArguments() {
        return List.of(
                subject,
                name,
                Integer.toString(number),
                Boolean.toString(isOfCrowd),
                url.isEmpty() ? NONE : url,
                address,
                members.isEmpty() ? NONE : String.join(",", members),
                Long.toString(lease.toMillis()),
                Integer.toString(perSecond),
                directory.toString(),
                log.toString());
    }

    static Setup of(String... arguments) {
        return new Setup(
                arguments[0],
                arguments[1],
                Integer.parseInt(arguments[2]),
                Boolean.parseBoolean(arguments[3]),
                arguments[4].equals(NONE) ? "" : arguments[4],
                arguments[5],
                arguments[6].equals(NONE) ? List.of() : List.of(arguments[6].split(",")),
                Duration.ofMillis(Long.parseLong(arguments[7])),
                Integer.parseInt(arguments[8]),
                Path.of(arguments[9]),
                Path.of(arguments[10]));
    }
}
