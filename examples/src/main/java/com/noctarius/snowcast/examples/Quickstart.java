package com.noctarius.snowcast.examples;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Placeholder;
import java.util.List;

/** Stands in for the first example; {@code --fail} makes it exit with 3. */
public final class Quickstart {
    private Quickstart() {}

    public static void main(String[] args) {
        System.out.println(Placeholder.name() + " " + List.of(args));
        HazelcastInstance hazelcast = Hazelcast.newHazelcastInstance();
        System.out.println("members: " + hazelcast.getCluster().getMembers().size());
        hazelcast.shutdown();
        System.exit(List.of(args).contains("--fail") ? 3 : 0);
    }
}
