// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.config.InvalidConfigurationException;
import com.hazelcast.core.HazelcastException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.hazelcast.HazelcastVersion;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * A failure analyzer that describes why the start failed, and the remedy. If a property is the cause, the description
 * includes its value and its origin. The analyzer runs before Boot's own analyzers, which know less about snowcast's
 * properties.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SnowcastFailureAnalyzer implements FailureAnalyzer {
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(SnowcastProperties.PREFIX);

    private static final List<Group> GROUPS = List.of(
            new Group(
                    PropertyNames.SEQUENCERS,
                    "a sequencer",
                    Setting.OF_SEQUENCER,
                    "orders",
                    Setting.EPOCH,
                    "2024-01-01T00:00:00Z"),
            new Group(
                    PropertyNames.SEQUENCES,
                    "an integer sequence",
                    Setting.OF_SEQUENCE,
                    "products",
                    Setting.FIRST_VALUE,
                    "1"),
            new Group(
                    PropertyNames.NODE_LEASES,
                    "a node lease",
                    Setting.OF_NODE_LEASE,
                    "generator",
                    Setting.MAX_NODES,
                    "1024"));

    /** The system properties that contain the location of Hazelcast's configuration. */
    private static final List<String> LOCATIONS = List.of("hazelcast.config", "hazelcast.client.config");

    /** The SQL states for a missing table or column in PostgreSQL, H2, MariaDB and MySQL. */
    private static final Set<String> ABSENT_TABLES = Set.of("42P01", "42703", "42S02", "42S03", "42S04", "42S22");

    private static final Pattern NODE_ID_PLACEHOLDER = Pattern.compile(
            "Could not resolve placeholder '(" + Pattern.quote(PropertyNames.NODE_LEASES) + "\\.[^']+\\.node-id)'");

    private static final String CREATE_TABLES =
            "Create the tables by a migration, or set " + PropertyNames.CREATE_TABLES + "=true";

    private final Environment environment;

    /**
     * A group of properties, such as {@code snowcast.sequencers}.
     *
     * @param noun the noun in messages, such as "a sequencer"
     * @param key a key for examples
     * @param setting a setting for examples
     * @param value a value of this setting
     */
    private record Group(
            String prefix, String noun, List<Setting> settings, String key, Setting setting, String value) {
        boolean has(ConfigurationPropertyName name) {
            ConfigurationPropertyName own = ConfigurationPropertyName.of(prefix);
            return own.equals(name) || own.isAncestorOf(name);
        }

        /** Returns whether a name has no setting at its end: it is the name of the group, or of a key in the group. */
        boolean isWithoutSetting(ConfigurationPropertyName name) {
            ConfigurationPropertyName own = ConfigurationPropertyName.of(prefix);
            return own.equals(name) || own.isParentOf(name);
        }

        String example(String ofKey) {
            return PropertyNames.of(prefix, ofKey, setting) + "=" + value;
        }
    }

    SnowcastFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidPropertyException invalid) {
                return analysis(
                        invalid.property(),
                        find(invalid.property()),
                        invalid.reason(),
                        lacksTables(invalid) ? CREATE_TABLES : invalid.action(),
                        failure);
            }
            if (cause instanceof RefusedStartException refused) {
                return new FailureAnalysis(refused.reason(), refused.action(), failure);
            }
            if (cause instanceof SnowcastUnavailableException unavailable && isOfDatabase(cause)) {
                return new FailureAnalysis(
                        "The database of node IDs cannot serve yet:\n\n    " + unavailable.getMessage(),
                        "Start the database, or correct spring.datasource.*. To wait for longer, set "
                                + PropertyNames.ATTACH_TIMEOUT + "; to start without it, set "
                                + PropertyNames.START_DETACHED + "=true and " + PropertyNames.CREATE_TABLES + "=false",
                        failure);
            }
            if (cause instanceof SnowcastUnavailableException unavailable) {
                return new FailureAnalysis(
                        "The cluster cannot serve yet:\n\n    " + unavailable.getMessage(),
                        "Make the cluster able to serve, for example by starting its other members; the member of this"
                                + " application is up while it waits. To wait for longer, set "
                                + PropertyNames.ATTACH_TIMEOUT + "; to start without the cluster, set "
                                + PropertyNames.START_DETACHED + "=true",
                        failure);
            }
            if (cause instanceof BindException bind && PREFIX.isAncestorOf(bind.getName())) {
                return analyze(bind, failure);
            }
            Matcher tooEarly = NODE_ID_PLACEHOLDER.matcher(String.valueOf(cause.getMessage()));
            if (tooEarly.find()) {
                return readTooEarly(tooEarly.group(1), failure);
            }
            FailureAnalysis found = NodeIdStore.isHazelcastPresent() ? analyzeHazelcast(cause, failure) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /**
     * Analyzes a placeholder of a node ID without a value. Either a condition of an auto-configuration, for example,
     * has read it before leases exist, or there is no lease with this name.
     */
    private static FailureAnalysis readTooEarly(String property, Throwable failure) {
        return new FailureAnalysis(
                "${" + property + "} was read before there are beans, such as by a condition"
                        + " (@ConditionalOnProperty), or there is no node lease of that name. The node ID is leased when"
                        + " beans are made",
                "Write ${" + property
                        + ":pending}: the condition then reads the text pending, and the bean of the library"
                        + " the node ID. And set " + property.replaceAll("node-id$", "max-nodes"),
                failure);
    }

    /** Returns whether node IDs come from a database, or an {@link SQLException} caused the failure. */
    private boolean isOfDatabase(Throwable failure) {
        return NodeIdStore.isJdbc(environment) || isOfSql(failure, sql -> true);
    }

    private static boolean isOfSql(Throwable failure, Predicate<SQLException> isMeant) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && isMeant.test(sql)) {
                return true;
            }
        }
        return false;
    }

    private boolean lacksTables(InvalidPropertyException invalid) {
        return NodeIdStore.isJdbc(environment)
                && isOfSql(invalid, sql -> ABSENT_TABLES.contains(String.valueOf(sql.getSQLState())));
    }

    /**
     * Analyzes a failure of Hazelcast's configuration or of a member's start; returns null for other failures. Without
     * this analysis, Boot would only print a stack trace.
     */
    private @Nullable FailureAnalysis analyzeHazelcast(Throwable cause, Throwable failure) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof IllegalStateException && message.equals("Node failed to start!")) {
            return memberOutside(failure);
        }
        if (cause instanceof IllegalArgumentException && message.startsWith("Hazelcast configuration does not exist")) {
            return analysis(
                    PropertyNames.HAZELCAST_CONFIG,
                    find(PropertyNames.HAZELCAST_CONFIG),
                    "cannot be read: " + message,
                    OwnHazelcast.SET_LOCATION,
                    failure);
        }
        ClusterSetting setting = Arrays.stream(ClusterSetting.values())
                .filter(each -> message.startsWith(each.hazelcastName() + ' '))
                .findFirst()
                .orElse(null);
        if (setting != null && cause instanceof IllegalArgumentException) {
            return new FailureAnalysis(
                    "The member does not start:\n\n    " + message,
                    "Correct it where it is set: " + setting.hazelcastName()
                            + " in Hazelcast's configuration or as -D, or " + setting.property()
                            + " here. Allowed is " + setting.allowed(),
                    failure);
        }
        if (!(cause instanceof HazelcastException)) {
            return null;
        }
        String location = LOCATIONS.stream()
                .filter(property -> System.getProperty(property) != null)
                .filter(property ->
                        message.contains(System.getProperty(property).replaceFirst("^classpath:", "")))
                .findFirst()
                .orElse(null);
        if (location != null) {
            return new FailureAnalysis(
                    "Hazelcast cannot read the file of -D" + location + "=" + System.getProperty(location) + ":\n\n    "
                            + message,
                    "Correct the system property " + location + ": the path of a file, or classpath: and a resource."
                            + " Or remove it, and set " + PropertyNames.HAZELCAST_CONFIG,
                    failure);
        }
        return cause instanceof InvalidConfigurationException
                ? new FailureAnalysis(
                        "Hazelcast refuses its configuration:\n\n    " + message,
                        "Correct it in the file or bean that configures Hazelcast",
                        failure)
                : null;
    }

    /** Refers to the log, because Hazelcast throws the same exception whatever kept the member from joining. */
    private static FailureAnalysis memberOutside(Throwable failure) {
        return new FailureAnalysis(
                "The member of this application, of Hazelcast " + HazelcastVersion.present()
                        + ", could not join its cluster. The log above"
                        + " has the reason, as 'Reason of failure for node join'.",
                "If it says that the version is not compatible: open-source members of one cluster have the same minor"
                        + " version. Spring Boot manages Hazelcast's version: set the property hazelcast.version of the"
                        + " build to the version of the other members, or use a client, which may have another one"
                        + " (hazelcast-client.yaml). If it says that the configuration differs, make it the same as on"
                        + " the others",
                failure);
    }

    private FailureAnalysis analyze(BindException bind, Throwable failure) {
        Group group = GROUPS.stream()
                .filter(one -> one.has(bind.getName()))
                .findFirst()
                .orElse(null);
        // A property outside the groups, such as snowcast.lease, can have the name and the allowed values of a
        // sequencer's setting.
        List<Setting> settings = group == null ? Setting.OF_SEQUENCER : group.settings();
        if (group != null && bind.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
            return analyze(group, unbound.getUnboundProperties().iterator().next(), failure);
        }
        ConfigurationProperty property = bind.getProperty() == null ? find(bind.getName()) : bind.getProperty();
        if (group != null && group.isWithoutSetting(bind.getName())) {
            return analysis(
                    bind.getName().toString(),
                    property,
                    "must be the beginning of the names of properties, one or more of " + Setting.keys(settings)
                            + (property == null ? "" : ": " + property.getValue()),
                    "Remove it, and set " + example(group, bind.getName(), property),
                    failure);
        }
        String allowed = allowed(bind.getName(), settings);
        return analysis(
                bind.getName().toString(),
                property,
                "must be " + allowed + (property == null ? "" : ": " + property.getValue()),
                "Set it to " + allowed,
                failure);
    }

    private static FailureAnalysis analyze(Group group, ConfigurationProperty unbound, Throwable failure) {
        if (String.valueOf(unbound.getValue()).isBlank()) { // Spring reports an empty value as unbound.
            String allowed = allowed(unbound.getName(), group.settings());
            return analysis(
                    unbound.getName().toString(),
                    unbound,
                    "must be " + allowed + ", and is empty",
                    "Set it to " + allowed + ", or remove it",
                    failure);
        }
        return analysis(
                unbound.getName().toString(),
                unbound,
                "is not a property of " + group.noun() + ": " + Setting.keys(group.settings()),
                "Correct its name, or remove it. A key with dots is written in brackets: "
                        + PropertyNames.of(group.prefix(), "my." + group.key(), group.setting()),
                failure);
    }

    private static String allowed(ConfigurationPropertyName name, List<Setting> settings) {
        for (ClusterSetting setting : ClusterSetting.values()) {
            if (ConfigurationPropertyName.of(setting.property()).equals(name)) {
                return setting.allowed();
            }
        }
        String key = name.getLastElement(ConfigurationPropertyName.Form.DASHED).toLowerCase(Locale.ROOT);
        for (Setting setting : settings) {
            if (setting.key().equals(key)) {
                return setting.allowed();
            }
        }
        if (key.equals("enabled") || key.equals("start-detached") || key.equals("create-tables")) {
            return "true or false";
        }
        if (key.equals("attach-timeout")) {
            return "a duration from 0s, such as 2m";
        }
        return "a value of its type";
    }

    /** Returns an example of a property, with the key that the user probably meant. */
    private static String example(
            Group group, ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
        String key = group.prefix().equals(name.toString())
                ? property == null ? "" : String.valueOf(property.getValue())
                : name.getLastElement(ConfigurationPropertyName.Form.ORIGINAL);
        return group.example(key.isBlank() ? group.key() : key);
    }

    private static FailureAnalysis analysis(
            String name, @Nullable ConfigurationProperty property, String reason, String action, Throwable failure) {
        StringBuilder description = new StringBuilder("The start failed at the property " + name + ":\n");
        if (property != null) {
            description.append("\n    Value: ").append(property.getValue());
            description.append("\n    Origin: ").append(property.getOrigin());
        }
        description.append("\n    Reason: ").append(name).append(' ').append(reason);
        return new FailureAnalysis(description.toString(), action, failure);
    }

    private @Nullable ConfigurationProperty find(String name) {
        return find(ConfigurationPropertyName.of(name));
    }

    private @Nullable ConfigurationProperty find(ConfigurationPropertyName name) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null) {
                return property;
            }
        }
        return null;
    }
}
