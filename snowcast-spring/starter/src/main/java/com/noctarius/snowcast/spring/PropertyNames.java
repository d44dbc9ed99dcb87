// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.regex.Pattern;

/** The names of properties, in the form that configuration files use. */
final class PropertyNames {
    static final String SEQUENCERS = SnowcastProperties.PREFIX + ".sequencers";
    static final String SEQUENCES = SnowcastProperties.PREFIX + ".sequences";
    static final String NODE_LEASES = SnowcastProperties.PREFIX + ".node-leases";
    static final String STORE = SnowcastProperties.PREFIX + ".store";
    static final String STANDALONE_NODE = SnowcastProperties.PREFIX + ".standalone-node";
    static final String LEASE = SnowcastProperties.PREFIX + ".lease";
    static final String BACKUP_COUNT = SnowcastProperties.PREFIX + ".backup-count";
    static final String HAZELCAST_INSTANCE_REF = SnowcastProperties.PREFIX + ".hazelcast-instance-ref";
    static final String ATTACH_TIMEOUT = SnowcastProperties.PREFIX + ".attach-timeout";
    static final String CREATE_TABLES = SnowcastProperties.PREFIX + ".jdbc.create-tables";
    static final String TABLE_NAME = SnowcastProperties.PREFIX + ".jdbc.table-name";
    static final String TABLE_PREFIX = SnowcastProperties.PREFIX + ".jdbc.table-prefix";
    static final String PROCESS_NAME = SnowcastProperties.PREFIX + ".jdbc.process-name";
    static final String START_DETACHED = SnowcastProperties.PREFIX + ".start-detached";

    /** A property of Spring Boot, not of snowcast. */
    static final String HAZELCAST_CONFIG = "spring.hazelcast.config";

    /** Matches a key that needs no brackets in a property's name. */
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9][a-z0-9-]*");

    private PropertyNames() {}

    /** Returns the common prefix of all properties of one sequencer, integer sequence or node lease. */
    static String of(String group, String key) {
        return PLAIN.matcher(key).matches() ? group + "." + key : group + "[" + key + "]";
    }

    static String of(String group, String key, Setting setting) {
        return of(group, key) + "." + setting.key();
    }
}
