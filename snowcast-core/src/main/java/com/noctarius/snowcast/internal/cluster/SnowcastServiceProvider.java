// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.servicemanager.ServiceDescriptor;
import com.hazelcast.spi.impl.servicemanager.ServiceDescriptorProvider;

/** Registers the service with every member that has snowcast on its class path. Found by its service file. */
public final class SnowcastServiceProvider implements ServiceDescriptorProvider {
    /** Called by Hazelcast. */
    public SnowcastServiceProvider() {}

    @Override
    public ServiceDescriptor[] createServiceDescriptors() {
        return new ServiceDescriptor[] {
            new ServiceDescriptor() {
                @Override
                public String getServiceName() {
                    return SnowcastService.NAME;
                }

                @Override
                public Object getService(NodeEngine nodeEngine) {
                    // Settings are read here: what is thrown here stops the member, in init() it would be swallowed.
                    return new SnowcastService(nodeEngine, new Settings(nodeEngine.getProperties()));
                }
            }
        };
    }
}
