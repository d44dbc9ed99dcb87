// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Wraps sessions, so that a test sees each call of a store, and can act before and after it. */
final class Sessions {
    private Sessions() {}

    interface Around {
        /**
         * Intercepts a call.
         *
         * @param argument the first argument, such as the statement; an empty string if there is none
         */
        @Nullable
        Object call(String method, Object argument, Call call) throws Throwable;
    }

    interface Call {
        @Nullable
        Object proceed() throws Throwable;
    }

    /** Opens a session, and creates a keyspace with tables on {@link SingleNode}. */
    static CqlSession withTables(String keyspace) {
        CqlSession session = TestSessions.open(SingleNode.node());
        SingleNode.createKeyspace(session, keyspace);
        new CassandraSchema(session, keyspace, SingleNode.DATACENTER).create();
        return session;
    }

    static CqlSession around(CqlSession session, Around around) {
        return (CqlSession) Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    Object first = arguments == null || arguments.length == 0 ? "" : arguments[0];
                    return around.call(method.getName(), first, () -> {
                        try {
                            return method.invoke(session, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
                });
    }
}
