// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.Arrays;

/**
 * Makes invocations. The constructor is looked up: its first parameter is a class in Hazelcast 5.4 and an interface of
 * that class from 5.5 on, and code that names either does not link with the other.
 */
final class ClientInvocations {
    private static final MethodHandle TO_PARTITION = toPartition();

    /** What the invocation is about, for Hazelcast's messages. */
    private static final Object OBJECT = "snowcast";

    private ClientInvocations() {}

    private static MethodHandle toPartition() {
        Constructor<?> constructor = Arrays.stream(ClientInvocation.class.getConstructors())
                .filter(each -> each.getParameterCount() == 4 && each.getParameterTypes()[3] == int.class)
                .findAny()
                .orElseThrow(() ->
                        new IllegalStateException("this version of Hazelcast has no invocations that snowcast knows: "
                                + Arrays.toString(ClientInvocation.class.getConstructors())));
        try {
            return MethodHandles.publicLookup()
                    .unreflectConstructor(constructor)
                    .asType(MethodType.methodType(
                            ClientInvocation.class,
                            HazelcastClientInstanceImpl.class,
                            ClientMessage.class,
                            Object.class,
                            int.class));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("not public: " + constructor, e);
        }
    }

    /**
     * Makes an invocation that goes to the owner of a partition if the client knows and is connected to it, which saves
     * a hop, and else to any member.
     */
    static ClientInvocation toPartition(HazelcastClientInstanceImpl client, ClientMessage message, int partitionId) {
        try {
            return (ClientInvocation) TO_PARTITION.invokeExact(client, message, OBJECT, partitionId);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the constructor throws no checked exceptions", e);
        }
    }
}
