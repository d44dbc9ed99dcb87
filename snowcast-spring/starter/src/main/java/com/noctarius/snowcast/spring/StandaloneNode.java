// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The fixed node ID of an application without a cluster: the property {@code snowcast.standalone-node}. */
final class StandaloneNode {
    private static final String ALLOWED =
            "a number from 0, or a host name that ends in one, such as orders-3 of a StatefulSet";
    private static final Pattern ORDINAL = Pattern.compile("(?:.*-)?(\\d{1,5})");

    /** Matches a host name that is made of an address, whose last number hosts of other networks have, too. */
    private static final Pattern ADDRESS = Pattern.compile("(?:.*-)?ip(?:-\\d{1,3}){4}");

    private StandaloneNode() {}

    /** Returns the node ID that the property specifies, or 0 in a test slice without the property. */
    static int of(@Nullable String property) {
        if (property == null) {
            return 0;
        }
        Matcher ordinal = ORDINAL.matcher(property.trim());
        if (!ordinal.matches() || ADDRESS.matcher(property.trim()).matches()) {
            throw new InvalidPropertyException(
                    PropertyNames.STANDALONE_NODE,
                    "must be " + ALLOWED + ": '" + property + "'",
                    "Set it to " + ALLOWED + ", or remove it to use the cluster",
                    null);
        }
        return Integer.parseInt(ordinal.group(1));
    }

    /** Returns whether a test runs a slice, such as {@code @DataJpaTest}, in which Boot disables auto-configuration. */
    static boolean isSlice(Environment environment) {
        return !environment.getProperty(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class, true);
    }

    /** Throws if there is a cluster or another {@code Snowcast}, because its IDs could equal IDs of this node. */
    static void requireNoCluster(ListableBeanFactory beans) {
        List<Class<?>> types = NodeIdStore.isHazelcastPresent()
                ? List.of(HazelcastInstance.class, Snowcast.class)
                : List.of(Snowcast.class);
        for (Class<?> type : types) {
            for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false)) {
                if (!name.equals(SnowcastAutoConfiguration.STANDALONE_SNOWCAST)) {
                    throw new InvalidPropertyException(
                            PropertyNames.STANDALONE_NODE,
                            "must not be set where there is a cluster: there is a bean '" + name + "' of type "
                                    + type.getSimpleName(),
                            "Remove the property to use the cluster; or remove the bean, or its configuration"
                                    + " (hazelcast.yaml, a Config bean), or exclude Boot's HazelcastAutoConfiguration",
                            null);
                }
            }
        }
    }

    /** The condition that the property is set, or that a test slice has no bean for a cluster. */
    static final class IsWanted extends SpringBootCondition implements ConfigurationCondition {
        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.REGISTER_BEAN;
        }

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConditionMessage.Builder message = ConditionMessage.forCondition("Without a cluster");
            if (context.getEnvironment().containsProperty(PropertyNames.STANDALONE_NODE)) {
                return ConditionOutcome.match(message.because(PropertyNames.STANDALONE_NODE + " is set"));
            }
            if (!isSlice(context.getEnvironment())) {
                return ConditionOutcome.noMatch(message.because(PropertyNames.STANDALONE_NODE + " is not set"));
            }
            ListableBeanFactory beans = context.getBeanFactory();
            List<Class<?>> types = NodeIdStore.isHazelcastPresent()
                    ? List.of(HazelcastInstance.class, Snowcast.class, Config.class, ClientConfig.class)
                    : List.of(Snowcast.class);
            for (Class<?> type : types) {
                if (beans != null
                        && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false).length > 0) {
                    return ConditionOutcome.noMatch(
                            message.because("the slice has a bean of type " + type.getSimpleName()));
                }
            }
            return ConditionOutcome.match(message.because("the test has a slice of the application"));
        }
    }
}
