// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.util.function.Predicate;
import org.apache.catalina.core.StandardHost;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Adds {@link WorkerThreads} and {@link TomcatProblems} to this server, and to a separate management server. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class ThreadLimits {
    private static final String THREADS = "server.tomcat.threads.max";
    private static final int DEFAULT_THREADS = 200;

    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> workerThreads(
            Environment environment, ObjectProvider<PathMappedEndpoints> endpoints) {
        int threads = environment.getProperty(THREADS, Integer.class, DEFAULT_THREADS);
        return factory -> {
            factory.addEngineValves(new WorkerThreads(threads, probes(endpoints)));
            factory.addContextCustomizers(context -> {
                if (context.getParent() instanceof StandardHost host) {
                    host.setErrorReportValveClass(TomcatProblems.class.getName());
                }
            });
        };
    }

    private static Predicate<String> probes(ObjectProvider<PathMappedEndpoints> endpoints) {
        return path -> {
            PathMappedEndpoints mapped = endpoints.getIfAvailable();
            String health = mapped == null ? null : mapped.getPath(EndpointId.of("health"));
            return health != null && path != null && (path.equals(health) || path.startsWith(health + "/"));
        };
    }
}
