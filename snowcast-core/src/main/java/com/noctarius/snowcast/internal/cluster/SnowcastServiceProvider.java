// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.InvalidConfigurationException;
import com.hazelcast.logging.Logger;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.servicemanager.ServiceDescriptor;
import com.hazelcast.spi.impl.servicemanager.ServiceDescriptorProvider;
import com.noctarius.snowcast.internal.hazelcast.HazelcastVersion;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import com.noctarius.snowcast.internal.owner.TableRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Registers the service on members with snowcast on their class path. Hazelcast finds this class by its service file.
 */
public final class SnowcastServiceProvider implements ServiceDescriptorProvider, ServiceDescriptor {
    @Override
    public ServiceDescriptor[] createServiceDescriptors() {
        return new ServiceDescriptor[] {this};
    }

    @Override
    public String getServiceName() {
        return SnowcastService.NAME;
    }

    @Override
    public Object getService(NodeEngine nodeEngine) {
        String refusal = HazelcastVersion.refusal(nodeEngine.getConfig()::getProperty);
        if (refusal != null) {
            Logger.getLogger(SnowcastServiceProvider.class).severe(refusal);
            return refusal; // In place of the service, so that the member runs without snowcast.
        }
        ServiceFiles.requireComplete(); // As the serializer hook does, because Hazelcast may find only one of the two.
        // Read the settings here, where an exception stops the member: Hazelcast would swallow an exception of init().
        Settings settings = Settings.read(nodeEngine.getProperties(), nodeEngine.getConfig());
        return new SnowcastService((NodeEngineImpl) nodeEngine, settings, highWaterMark(nodeEngine, settings));
    }

    private static @Nullable DurableHighWaterMark highWaterMark(NodeEngine nodeEngine, Settings settings) {
        Path directory = settings.highWaterMarkDirectory();
        if (directory == null) {
            return null;
        }
        TableRules rules = settings.rules();
        Address address = nodeEngine.getThisAddress();
        Path ofCluster = directory.resolve(fileName(nodeEngine.getConfig().getClusterName()));
        String name = address.getHost() + '-' + address.getPort();
        try {
            // The longest lease of any member: the mark must cover the grants of the other members, too.
            return DurableHighWaterMark.open(
                    ofCluster,
                    name,
                    settings.setup().maxLeaseMillis() + rules.maxSkewMillis(),
                    rules.leaseMillis() / 2);
        } catch (IOException e) {
            throw new InvalidConfigurationException(
                    SnowcastProperty.HIGH_WATER_MARK_DIR.key() + "=" + directory + ": " + e, e);
        }
    }

    /** Returns a directory name that differs for each cluster name, even on a case-insensitive file system. */
    static String fileName(String clusterName) {
        return Pattern.compile("[^a-z0-9-]")
                .matcher(clusterName)
                .replaceAll(other -> '_' + Integer.toHexString(other.group().codePointAt(0)) + '_');
    }
}
