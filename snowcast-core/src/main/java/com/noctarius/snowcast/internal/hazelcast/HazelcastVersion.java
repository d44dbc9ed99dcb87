// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastException;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether snowcast supports the version of Hazelcast. Other classes of snowcast use classes of Hazelcast that
 * may change in every version; this class uses none of them, so that the JVM links none of them before the check.
 */
public final class HazelcastVersion {
    private static final Pattern SUPPORTED = Pattern.compile("5\\.[4-7](\\D.*)?");
    public static final String CHECK = SnowcastProperty.HAZELCAST_VERSION_CHECK.key();

    private HazelcastVersion() {}

    /** Returns why snowcast does not start with this version; null if it starts, or {@link #CHECK} says so. */
    public static @Nullable String refusal(UnaryOperator<@Nullable String> properties) {
        return refusal(present(), properties);
    }

    static @Nullable String refusal(String present, UnaryOperator<@Nullable String> properties) {
        return SUPPORTED.matcher(present).matches() || "false".equals(properties.apply(CHECK))
                ? null
                : "snowcast 3.0 runs with Hazelcast 5.4 to 5.7; this is " + present + " (" + CHECK
                        + "=false starts it anyway)";
    }

    /** Returns the version of Hazelcast on the class path. */
    public static String present() {
        try {
            // Read Hazelcast's own constant, because repackaged jars may lack the manifest with the version.
            return (String) Class.forName("com.hazelcast.instance.GeneratedBuildProperties")
                    .getField("VERSION")
                    .get(null);
        } catch (ReflectiveOperationException e) {
            return "a version that does not say which";
        }
    }

    /** Throws if snowcast does not start with the version of Hazelcast of a member or client. */
    public static void require(HazelcastInstance hazelcast) {
        String refusal = refusal(name -> property(hazelcast, name));
        if (refusal != null) {
            throw new SnowcastException(refusal);
        }
    }

    private static @Nullable String property(HazelcastInstance hazelcast, String name) {
        try {
            return hazelcast.getConfig().getProperty(name);
        } catch (UnsupportedOperationException e) {
            return System.getProperty(name); // A client does not have the configuration of a member.
        }
    }
}
