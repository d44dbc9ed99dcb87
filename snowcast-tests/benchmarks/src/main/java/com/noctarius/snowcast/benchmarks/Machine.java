// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.hazelcast.instance.BuildInfoProvider;

/** Describes the JDK, Hazelcast and the machine with which a part ran. */
public final class Machine {
    /** The {@link Result#group} of these descriptions. The subject of each is the title of a part. */
    public static final String GROUP = "run";

    private Machine() {}

    static Result result(Part part) {
        String description = String.join(
                ", ",
                "JDK " + System.getProperty("java.runtime.version"),
                "Hazelcast " + BuildInfoProvider.getBuildInfo().getVersion(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        return new Result(
                GROUP,
                part.title(),
                description,
                "processors",
                Runtime.getRuntime().availableProcessors(),
                0,
                "processors");
    }
}
