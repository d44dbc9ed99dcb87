// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * A check that makes the start fail if there is an unknown property that begins with {@code snowcast}, because such a
 * property would silently have no effect.
 *
 * <p>Snowcast reads some properties only from Hazelcast's configuration or from the JVM. The check allows them only as
 * system properties. For an unknown environment variable, the check only logs a warning. It ignores variables that
 * Kubernetes may have set for a service whose name begins with snowcast.
 */
final class UnknownProperties implements BeanFactoryPostProcessor {
    /**
     * The known properties. Properties of one bean, such as {@code snowcast.sequencers.orders.epoch}, are not listed,
     * because {@link ConfiguredBeans} checks them.
     */
    static final List<String> KNOWN = Stream.concat(
                    Stream.of(
                            "snowcast.enabled",
                            PropertyNames.STORE,
                            PropertyNames.STANDALONE_NODE,
                            PropertyNames.LEASE,
                            PropertyNames.BACKUP_COUNT,
                            PropertyNames.HAZELCAST_INSTANCE_REF,
                            PropertyNames.ATTACH_TIMEOUT,
                            PropertyNames.START_DETACHED,
                            PropertyNames.SEQUENCERS,
                            PropertyNames.SEQUENCES,
                            PropertyNames.NODE_LEASES,
                            PropertyNames.TABLE_NAME,
                            PropertyNames.TABLE_PREFIX,
                            PropertyNames.CREATE_TABLES,
                            PropertyNames.PROCESS_NAME),
                    Arrays.stream(ClusterSetting.values()).map(ClusterSetting::property))
            .toList();

    private static final List<String> GROUPS =
            List.of(PropertyNames.SEQUENCERS, PropertyNames.SEQUENCES, PropertyNames.NODE_LEASES);

    /**
     * The properties that are allowed only as system properties. In addition, {@link ClusterSetting#hazelcastName} of
     * each setting is allowed only there.
     */
    private static final List<String> OF_THE_JVM =
            SnowcastProperty.keys(SnowcastProperty.Place.MEMBERS_AND_CLIENTS, SnowcastProperty.Place.JVM);

    private static final Log LOG = LogFactory.getLog(UnknownProperties.class);
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(SnowcastProperties.PREFIX);
    private static final Pattern OF_KUBERNETES =
            Pattern.compile("snowcast\\.(.+\\.)?(service\\.(host|port)|port)(\\..*)?");

    private final Environment environment;

    UnknownProperties(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                names.stream().filter(PREFIX::isAncestorOf).forEach(name -> check(name, source));
            }
        }
    }

    private static void check(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        String from = source.getUnderlyingSource() instanceof PropertySource<?> underlying ? underlying.getName() : "";
        boolean isVariable = from.equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        boolean isOfTheJvm = from.equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        ClusterSetting misplaced = Arrays.stream(ClusterSetting.values())
                .filter(setting -> isSame(setting.hazelcastName(), name, isVariable))
                .findFirst()
                .orElse(null);
        if (isOfTheJvm && (misplaced != null || OF_THE_JVM.contains(name.toString()))) {
            return;
        }
        if (misplaced != null) {
            throw new InvalidPropertyException(
                    name.toString(),
                    "is a property of Hazelcast's members, which do not read it here",
                    "Set " + misplaced.property() + " here, if the member is started by this application; else set "
                            + misplaced.hazelcastName()
                            + " where the members are configured, to the same value on each",
                    null);
        }
        if (OF_THE_JVM.stream().anyMatch(known -> isSame(known, name, isVariable))) {
            throw new InvalidPropertyException(
                    name.toString(),
                    "is read by Hazelcast or by the JVM, and has no effect here",
                    "Remove it, and set it as a system property: -D" + name + "=...",
                    null);
        }
        if (KNOWN.stream().anyMatch(known -> isSame(known, name, isVariable) || isInGroup(known, name))) {
            return;
        }
        if (!isVariable) {
            throw new InvalidPropertyException(
                    name.toString(),
                    "is not a property of snowcast",
                    "Did you mean " + nearest(name) + "? Correct its name, or remove it",
                    null);
        }
        ConfigurationProperty variable = source.getConfigurationProperty(name);
        if (variable != null && !OF_KUBERNETES.matcher(name.toString()).matches()) {
            LOG.warn(variable.getOrigin() + " is not a property of snowcast, and has no effect");
        }
    }

    /**
     * Compares only letters and digits of a variable's name, because underscores may stand for both dots and dashes.
     */
    private static boolean isSame(String known, ConfigurationPropertyName name, boolean isVariable) {
        return isVariable
                ? letters(known).equals(letters(name.toString()))
                : ConfigurationPropertyName.of(known).equals(name);
    }

    private static String letters(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    private static boolean isInGroup(String known, ConfigurationPropertyName name) {
        return GROUPS.contains(known) && ConfigurationPropertyName.of(known).isAncestorOf(name);
    }

    /**
     * Returns the known property that has the most leading elements in common with the name; among several, the most
     * similar.
     */
    private static String nearest(ConfigurationPropertyName name) {
        return Objects.requireNonNull(KNOWN.stream()
                .min(Comparator.comparingInt((String known) -> -wordsAlike(ConfigurationPropertyName.of(known), name))
                        .thenComparingInt(known -> distance(known, head(name, ConfigurationPropertyName.of(known)))))
                .orElse(null));
    }

    private static int wordsAlike(ConfigurationPropertyName known, ConfigurationPropertyName name) {
        int words = Math.min(known.getNumberOfElements(), name.getNumberOfElements());
        while (!known.chop(words).equals(name.chop(words))) {
            words--;
        }
        return words;
    }

    private static String head(ConfigurationPropertyName name, ConfigurationPropertyName known) {
        return name.chop(Math.min(known.getNumberOfElements(), name.getNumberOfElements()))
                .toString();
    }

    /** Returns the Levenshtein distance: how many letters to add, remove or replace to turn one text into the other. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, index -> index);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
