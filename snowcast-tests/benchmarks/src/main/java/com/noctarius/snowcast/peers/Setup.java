// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The settings with which a process is started.
 *
 * @param subjects the names of the generators; each has its own thread that takes IDs
 * @param name the name of the process, like that of a pod or a host; two processes may have the same name
 * @param number the number in the name, for generators that are configured with a number
 * @param isOfCrowd whether the process is one of many that start at once
 * @param port the first port of members, which is the same at each address
 * @param directory the directory for files that generators keep after the process; each process name has its own
 * @param log the beginning of the names of the log files, to which {@link #logOf} adds the name of the generator
 */
record Setup(
        List<String> subjects,
        String name,
        int number,
        boolean isOfCrowd,
        String url,
        String address,
        List<String> members,
        int port,
        Duration lease,
        int perSecond,
        Path directory,
        Path log) {
    private static final String NONE = "-";

    Path logOf(String subject) {
        return Path.of(log + "-" + subject);
    }

    List<String> toArguments() {
        return List.of(
                String.join(",", subjects),
                name,
                Integer.toString(number),
                Boolean.toString(isOfCrowd),
                url.isEmpty() ? NONE : url,
                address,
                members.isEmpty() ? NONE : String.join(",", members),
                Integer.toString(port),
                Long.toString(lease.toMillis()),
                Integer.toString(perSecond),
                directory.toString(),
                log.toString());
    }

    static Setup of(String... arguments) {
        return new Setup(
                List.of(arguments[0].split(",")),
                arguments[1],
                Integer.parseInt(arguments[2]),
                Boolean.parseBoolean(arguments[3]),
                arguments[4].equals(NONE) ? "" : arguments[4],
                arguments[5],
                arguments[6].equals(NONE) ? List.of() : List.of(arguments[6].split(",")),
                Integer.parseInt(arguments[7]),
                Duration.ofMillis(Long.parseLong(arguments[8])),
                Integer.parseInt(arguments[9]),
                Path.of(arguments[10]),
                Path.of(arguments[11]));
    }
}
