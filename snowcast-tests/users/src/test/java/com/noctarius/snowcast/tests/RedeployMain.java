// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.File;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.loader.WebappLoader;
import org.apache.catalina.startup.Tomcat;

/**
 * The server of {@link RedeployTest}: deploys a web application in Tomcat several times. Prints Tomcat's warnings, and
 * whether the class loaders of the former deployments are collected.
 */
public final class RedeployMain {
    private RedeployMain() {}

    /** Arguments: the directory of the application, the class of its listener, how often it is deployed. */
    public static void main(String[] args) {
        try {
            redeploy(args[0], args[1], Integer.parseInt(args[2]));
        } catch (Exception | Error e) {
            e.printStackTrace(System.out);
        } finally {
            Runtime.getRuntime().halt(0); // Remaining threads would keep the process alive.
        }
    }

    private static void redeploy(String directory, String listener, int times) throws Exception {
        Logger log = Logger.getLogger("org.apache.catalina");
        log.setUseParentHandlers(false);
        log.addHandler(new Printer());
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(new File(directory, "base").getPath());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getHost();
        tomcat.start();
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            loaders.add(deployed(tomcat, directory, listener));
        }
        System.out.println("deployed: " + loaders.size());
        // Something keeps the last class loader until the next deployment, even with Hazelcast alone.
        List<WeakReference<ClassLoader>> former = loaders.subList(0, times - 1);
        Await.until("the loaders of all lives but the last are collected", () -> {
            System.gc();
            return former.stream().allMatch(loader -> loader.refersTo(null));
        });
        System.out.println("collected");
    }

    private static WeakReference<ClassLoader> deployed(Tomcat tomcat, String directory, String listener) {
        StandardContext context = new StandardContext();
        context.setName("/application");
        context.setPath("/application");
        context.setDocBase(directory);
        context.addLifecycleListener(new Tomcat.FixContextListener());
        context.setLoader(new WebappLoader());
        context.addApplicationListener(listener);
        tomcat.getHost().addChild(context); // This starts the application.
        WeakReference<ClassLoader> loader =
                new WeakReference<>(context.getLoader().getClassLoader());
        if (context.getState() != LifecycleState.STARTED) {
            throw new IllegalStateException("it could not be started: " + context.getStateName());
        }
        tomcat.getHost().removeChild(context);
        return loader;
    }

    private static final class Printer extends Handler {
        @Override
        public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
                System.out.println("warning: " + new SimpleFormatter().formatMessage(record));
                if (record.getThrown() != null) {
                    record.getThrown().printStackTrace(System.out);
                }
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
