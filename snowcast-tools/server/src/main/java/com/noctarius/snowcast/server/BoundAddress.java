// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Without a token, binds the server to the loopback address, and rejects a configured address that is not a loopback
 * address.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE) // Boot sets the address from the property first.
final class BoundAddress implements WebServerFactoryCustomizer<ConfigurableWebServerFactory> {
    private static final String ADDRESS = "server.address";
    private static final String MANAGEMENT_PORT = "management.server.port";
    private static final String MANAGEMENT_ADDRESS = "management.server.address";

    private final Environment environment;
    private final ServerProperties properties;

    BoundAddress(Environment environment, ServerProperties properties) {
        this.environment = environment;
        this.properties = properties;
    }

    @Override
    public void customize(ConfigurableWebServerFactory factory) {
        if (properties.token() != null) {
            return;
        }
        String address = environment.getProperty(ADDRESS);
        if (address == null) {
            factory.setAddress(InetAddress.getLoopbackAddress());
        } else {
            requireLoopback(ADDRESS, address);
        }
        // Boot creates the management server separately, with its own address.
        String managementAddress = environment.getProperty(MANAGEMENT_ADDRESS);
        if (managementAddress != null || environment.containsProperty(MANAGEMENT_PORT)) {
            requireLoopback(MANAGEMENT_ADDRESS, managementAddress == null ? "0.0.0.0" : managementAddress);
        }
    }

    private static void requireLoopback(String property, String address) {
        try {
            if (InetAddress.getByName(address).isLoopbackAddress()) {
                return;
            }
        } catch (UnknownHostException e) {
            throw new WrongSettingException(property, "must be an address of this machine: " + address, fix(property));
        }
        throw new WrongSettingException(
                property,
                "must be a loopback address as long as " + ServerProperties.TOKEN + " is not set: " + address,
                fix(property));
    }

    private static String fix(String property) {
        return "Set " + ServerProperties.TOKEN + ", which each request must then contain, or set " + property
                + " to 127.0.0.1";
    }
}
