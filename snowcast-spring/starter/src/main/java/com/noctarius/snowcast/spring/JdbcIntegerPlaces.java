// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.internal.jdbc.TableNames;
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
        String ofNodeIds =
                TableNames.windows(environment.getProperty(PropertyNames.TABLE_PREFIX, TableNames.LEASE_PREFIX));
        String table = environment.getProperty(PropertyNames.TABLE_NAME, TableNames.WINDOWS);
        boolean isOtherTable = !table.equals(ofNodeIds);
        List<String> others = new ArrayList<>(names(beans, BlockStore.class));
        if (areOfBoot(beans)) {
            others.remove(ReferredStores.JDBC);
        } else {
            others.addAll(names(beans, JdbcShards.class));
        }
        if (isOtherTable) {
            others.add(PropertyNames.TABLE_NAME + "=" + table);
        }
        if (!others.isEmpty()) {
            throw new InvalidPropertyException(
                    property,
                    "is missing, and integers can come from the database of the node IDs (table " + ofNodeIds
                            + "), or from another place: " + String.join(", ", others),
                    "Set it to the BlockStore bean that has the integers in use. Its name is " + ReferredStores.JDBC
                            + " for those of a JdbcShards bean, or else of the table " + table + " of the DataSource"
                            + (isOtherTable
                                    ? ". If they are in " + ofNodeIds + ", set " + PropertyNames.TABLE_NAME + " to it"
                                    : ""),
                    null);
        }
    }

    /** Returns whether Boot made both the {@code Snowcast} and the store {@code jdbc}, of the same database. */
    private static boolean areOfBoot(ListableBeanFactory beans) {
        return !names(beans, SnowcastJdbcAutoConfiguration.class).isEmpty()
                && !names(beans, SnowcastJdbcStoreAutoConfiguration.OfTheApplication.class)
                        .isEmpty();
    }

    private static List<String> names(ListableBeanFactory beans, Class<?> type) {
        return Arrays.asList(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
    }
}
