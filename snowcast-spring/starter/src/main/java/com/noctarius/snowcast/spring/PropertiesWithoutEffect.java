// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.Snowcast;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * A check for properties that are set, although the bean that would read them is not there. If the application declares
 * a bean in its place, the start fails: the application would otherwise use, for example, the table of its
 * {@code JdbcShards} bean in place of the table in {@code snowcast.jdbc.table-name}, and repeat integers. If
 * {@code snowcast.store} or the stores of the sequences are others, as they may be in a profile, and in test slices,
 * the check only logs a warning.
 *
 * <p>A property without a value, such as {@code snowcast.jdbc.table-name=}, counts as not set, so that a profile or
 * test can unset it. With a fixed node ID, the check ignores the properties of node IDs, because tests set one.
 */
final class PropertiesWithoutEffect implements BeanFactoryPostProcessor {
    private static final Log LOG = LogFactory.getLog(PropertiesWithoutEffect.class);

    private final Environment environment;

    PropertiesWithoutEffect(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        boolean isOfParent = beans.getParentBeanFactory() instanceof ListableBeanFactory parent
                && isPresent(UnknownProperties.class, parent);
        if (isOfParent) {
            return; // The beans of the parent have read the properties.
        }
        boolean isStandalone = isPresent(SnowcastAutoConfiguration.Standalone.class, beans);
        boolean isOfDatabase = isPresent(SnowcastJdbcAutoConfiguration.class, beans);
        if (!isStandalone) {
            checkNodeIds(isOfDatabase, beans);
        }
        checkIntegers(isStandalone, isOfDatabase, beans);
    }

    private void checkNodeIds(boolean isOfDatabase, ListableBeanFactory beans) {
        if (isOfDatabase) {
            String why = PropertyNames.STORE + " is jdbc";
            warn(PropertyNames.BACKUP_COUNT, why);
            warn(PropertyNames.HAZELCAST_INSTANCE_REF, why);
        } else if (!isPresent(SnowcastAutoConfiguration.OfHazelcast.class, beans)) {
            List<String> ofTheApplication = names(Snowcast.class, beans);
            refuse(PropertyNames.TABLE_PREFIX, ofTheApplication);
            refuse(PropertyNames.PROCESS_NAME, ofTheApplication);
            refuse(PropertyNames.BACKUP_COUNT, ofTheApplication);
        } else if (!NodeIdStore.isJdbc(environment)) {
            String why = PropertyNames.STORE + " is not jdbc";
            warn(PropertyNames.TABLE_PREFIX, why);
            warn(PropertyNames.PROCESS_NAME, why);
        }
    }

    private void checkIntegers(boolean isStandalone, boolean isOfDatabase, ListableBeanFactory beans) {
        boolean isStoreOfBoot = isPresent(SnowcastJdbcStoreAutoConfiguration.Store.class, beans);
        Set<String> ofTheApplication = new TreeSet<>();
        if (NodeIdStore.isJdbcPresent()) {
            ofTheApplication.addAll(JdbcIntegerPlaces.ofTheApplication(beans));
        }
        if (isStoreOfBoot) {
            ofTheApplication.remove(ReferredStores.JDBC);
        }
        // In a test, a store in memory may have replaced it.
        String none = "snowcast declares no store of integers";
        if (!isPresent(SnowcastJdbcStoreAutoConfiguration.OfTheApplication.class, beans)) {
            refuse(PropertyNames.TABLE_NAME, ofTheApplication);
            if (!isOfDatabase) {
                warn(PropertyNames.TABLE_NAME, none);
            }
        }
        boolean isCreator = isStoreOfBoot || isOfDatabase;
        if (!isCreator && "true".equalsIgnoreCase(environment.getProperty(PropertyNames.CREATE_TABLES))) {
            if (!isStandalone && !isPresent(SnowcastAutoConfiguration.OfHazelcast.class, beans)) {
                ofTheApplication.addAll(names(Snowcast.class, beans));
            }
            refuse(PropertyNames.CREATE_TABLES, ofTheApplication);
            warn(PropertyNames.CREATE_TABLES, none);
        }
    }

    private void refuse(String property, Collection<String> beans) {
        if (beans.isEmpty() || !isSet(property)) {
            return;
        }
        InvalidPropertyException refusal = new InvalidPropertyException(
                property,
                "has no effect, because the application declares the bean " + String.join(", ", beans),
                "Give the bean this setting, and remove the property; or set it to nothing where it has no effect: "
                        + property + "=",
                null);
        if (!StandaloneNode.isSlice(environment)) {
            throw refusal;
        }
        LOG.warn(refusal.getMessage());
    }

    private void warn(String property, String why) {
        if (isSet(property)) {
            LOG.warn(property + " has no effect here, because " + why);
        }
    }

    private boolean isSet(String property) {
        String value = environment.getProperty(property);
        return value != null && !value.isBlank();
    }

    private static boolean isPresent(Class<?> type, ListableBeanFactory beans) {
        return !names(type, beans).isEmpty();
    }

    private static List<String> names(Class<?> type, ListableBeanFactory beans) {
        return Arrays.asList(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
    }
}
