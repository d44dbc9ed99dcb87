// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.internal.jdbc.TableNames;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.store.BlockStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/** The places of integers of an application whose node IDs come from a database. */
final class JdbcIntegerPlaces {
    private JdbcIntegerPlaces() {}

    /**
     * Throws if the application has another place of integers than the database of its node IDs.
     *
     * @param property the property that would name the place, for the message
     */
    static void requireOnlyTheDatabase(String property, ListableBeanFactory beans, Environment environment) {
        List<String> others = others(beans, environment);
        if (others.isEmpty()) {
            return;
        }
        String ofNodeIds = ofNodeIds(environment);
        String table = table(environment);
        boolean isOfBoot = isOfBoot(beans);
        String wayToDatabase = table.equals(ofNodeIds)
                ? ""
                : ". If they are in " + ofNodeIds + ", set " + PropertyNames.TABLE_NAME + " to it";
        throw new InvalidPropertyException(
                property,
                "is missing, and integers can come from the database of the node IDs"
                        + (isOfBoot ? " (table " + ofNodeIds + ")" : "") + ", or from another place: "
                        + String.join(", ", others),
                "Set it to the BlockStore bean that has the integers in use. Its name is " + ReferredStores.JDBC
                        + " for those of a JdbcShards bean, or else of the table " + table + " of the DataSource"
                        // The application's own bean may have another DataSource and prefix than the properties.
                        + (isOfBoot
                                ? wayToDatabase
                                : ". If they are in the database of the Snowcast bean, declare a JdbcBlockStore bean"
                                        + " over that database, with the table that it has there, and name that bean"),
                null);
    }

    /** Returns the other places of integers than the database of the node IDs. */
    static List<String> others(ListableBeanFactory beans, Environment environment) {
        List<String> others = new ArrayList<>(names(beans, BlockStore.class));
        if (isOfBoot(beans) && isStoreOfBoot(beans)) {
            others.remove(ReferredStores.JDBC); // It has the same database.
        } else {
            others.addAll(names(beans, JdbcShards.class));
        }
        String table = table(environment);
        if (!table.equals(ofNodeIds(environment))) {
            others.add(PropertyNames.TABLE_NAME + "=" + table);
        }
        return others;
    }

    /** Returns the beans of integers in databases that the application declares. */
    static List<String> ofTheApplication(ListableBeanFactory beans) {
        List<String> declared = new ArrayList<>(names(beans, JdbcBlockStore.class));
        if (!isStoreOfBoot(beans)) {
            declared.addAll(names(beans, JdbcShards.class));
        }
        return declared;
    }

    private static String ofNodeIds(Environment environment) {
        return TableNames.windows(environment.getProperty(PropertyNames.TABLE_PREFIX, TableNames.LEASE_PREFIX));
    }

    private static String table(Environment environment) {
        return environment.getProperty(PropertyNames.TABLE_NAME, TableNames.WINDOWS);
    }

    /** Returns whether Boot made the {@code Snowcast}. */
    private static boolean isOfBoot(ListableBeanFactory beans) {
        return !names(beans, SnowcastJdbcAutoConfiguration.class).isEmpty();
    }

    /** Returns whether Boot made the store {@code jdbc}. */
    private static boolean isStoreOfBoot(ListableBeanFactory beans) {
        return !names(beans, SnowcastJdbcStoreAutoConfiguration.OfTheApplication.class)
                .isEmpty();
    }

    private static List<String> names(ListableBeanFactory beans, Class<?> type) {
        return Arrays.asList(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
    }
}
