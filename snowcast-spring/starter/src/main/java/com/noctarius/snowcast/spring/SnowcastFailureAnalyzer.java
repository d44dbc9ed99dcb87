// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SnowcastUnavailableException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
 * Says which property made the start fail, where it is set, what was allowed and what to do. Comes before Boot's own
 * analyzers, which know less about these properties.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SnowcastFailureAnalyzer implements FailureAnalyzer {
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(SnowcastProperties.PREFIX);

    private static final ConfigurationPropertyName SEQUENCES = ConfigurationPropertyName.of(PropertyNames.SEQUENCES);
    private static final Set<ConfigurationPropertyName> GROUPS =
            Set.of(SEQUENCES, ConfigurationPropertyName.of(PropertyNames.SEQUENCERS));

    private final Environment environment;

    SnowcastFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidPropertyException invalid) {
                return analysis(
                        invalid.property(), find(invalid.property()), invalid.reason(), invalid.action(), failure);
            }
            if (cause instanceof SnowcastUnavailableException unavailable) {
                return new FailureAnalysis(
                        "The cluster cannot serve yet:\n\n    " + unavailable.getMessage(),
                        "Bring the cluster to where it can, such as by starting its other members; the member of this"
                                + " application is up while it waits. To wait for longer, set "
                                + PropertyNames.ATTACH_TIMEOUT + "; to start without the cluster, set "
                                + PropertyNames.START_DETACHED + "=true",
                        failure);
            }
            if (cause instanceof BindException bind && PREFIX.isAncestorOf(bind.getName())) {
                return analyze(bind, failure);
            }
        }
        return null;
    }

    private static FailureAnalysis analyze(BindException bind, Throwable failure) {
        boolean isSequence = SEQUENCES.isAncestorOf(bind.getName()) || SEQUENCES.equals(bind.getName());
        List<Setting> settings = isSequence ? Setting.OF_SEQUENCE : Setting.OF_SEQUENCER;
        if (bind.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
            ConfigurationProperty first =
                    unbound.getUnboundProperties().iterator().next();
            if (String.valueOf(first.getValue()).isBlank()) { // Which Spring takes for none of that name.
                String allowed = allowed(first.getName(), settings);
                return analysis(
                        first.getName().toString(),
                        first,
                        "must be " + allowed + ", and is empty",
                        "Set it to " + allowed + ", or remove it",
                        failure);
            }
            return analysis(
                    first.getName().toString(),
                    first,
                    "is none of the properties of " + (isSequence ? "an integer sequence" : "a sequencer") + ": "
                            + Setting.keys(settings),
                    "Correct its name, or remove it. A key with dots is written in brackets: "
                            + (isSequence
                                    ? PropertyNames.of(PropertyNames.SEQUENCES, "my.products", Setting.FIRST_VALUE)
                                    : PropertyNames.of(PropertyNames.SEQUENCERS, "my.orders", Setting.EPOCH)),
                    failure);
        }
        ConfigurationProperty property = bind.getProperty();
        String allowed = allowed(bind.getName(), settings);
        return analysis(
                bind.getName().toString(),
                property,
                "must be " + allowed + (property == null ? "" : ": " + property.getValue()),
                "Set it to " + allowed,
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
        if (key.equals("enabled") || key.equals("start-detached")) {
            return "true or false";
        }
        if (key.equals("attach-timeout")) {
            return "a duration from 0s, such as 2m";
        }
        ConfigurationPropertyName group = name.getParent();
        return GROUPS.contains(group)
                ? "the beginning of the names of properties, one or more of " + Setting.keys(settings)
                : "a value of its type";
    }

    private static FailureAnalysis analysis(
            String name, @Nullable ConfigurationProperty property, String reason, String action, Throwable failure) {
        StringBuilder description = new StringBuilder("The property " + name + " is wrong:\n");
        if (property != null) {
            description.append("\n    Value: ").append(property.getValue());
            description.append("\n    Origin: ").append(property.getOrigin());
        }
        description.append("\n    Reason: ").append(name).append(' ').append(reason);
        return new FailureAnalysis(description.toString(), action, failure);
    }

    private @Nullable ConfigurationProperty find(String name) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty property = source.getConfigurationProperty(ConfigurationPropertyName.of(name));
            if (property != null) {
                return property;
            }
        }
        return null;
    }
}
