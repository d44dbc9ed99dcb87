// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SourcesTest {
    @Test
    void anErrorOfOneSourceDoesNotLeaveTheOthersOpen() {
        List<String> calls = new ArrayList<>();
        SnowcastSequencer orders = stub(SnowcastSequencer.class, method -> {
            if (method.equals("detachLogicalNode")) {
                throw new NoClassDefFoundError("a class that the shutdown needs");
            }
            return SnowcastSequenceState.Attached;
        });
        NodeLease workers = stub(NodeLease.class, calls::add);
        Snowcast snowcast = stub(Snowcast.class, method -> method.equals("createSequencer") ? orders : workers);

        Sources.open(
                        snowcast,
                        Settings.of(new SettingsTest.OfMap(Map.of(
                                "snowcast.sequencers.orders.epoch",
                                "2024-01-01T00:00:00Z",
                                "snowcast.node-leases.workers.max-nodes",
                                "1024"))))
                .close();

        assertThat(calls).containsExactly("close");
    }

    @Test
    void propertiesThatAnOwnSnowcastDoesNotReadAreRefused() {
        Snowcast own = stub(Snowcast.class, method -> method);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sources.ofOwn(
                        own,
                        Settings.of(new SettingsTest.OfMap(Map.of(
                                "snowcast.store", "jdbc",
                                "snowcast.jdbc.table-prefix", "shop",
                                "snowcast.jdbc.process-name", " ",
                                "snowcast.lease", "10m")))))
                .withMessage("snowcast.store, snowcast.jdbc.table-prefix must not be set, because the application has"
                        + " its own Snowcast bean, which does not read it: remove it or set it to an empty text, and"
                        + " set the value in the code of the bean");
    }

    /** Returns an object that answers each call, except {@code toString}, with a function of the method's name. */
    private static <T> T stub(Class<T> type, Function<String, Object> answer) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("toString")) {
                        return type.getSimpleName();
                    }
                    Object answered = answer.apply(method.getName());
                    return method.getReturnType() == void.class ? null : answered;
                }));
    }
}
