// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Loads jars of former versions by class loaders that do not see this class path. */
final class FormerJars {
    private FormerJars() {}

    /** Returns a class loader for the jars of a directory, which the build has filled. */
    static URLClassLoader of(String directory) throws IOException {
        Path jars = Path.of(System.getProperty("former.directory")).resolve(directory);
        List<URL> urls = new ArrayList<>();
        try (Stream<Path> files = Files.list(jars)) {
            for (Path jar : files.toList()) {
                urls.add(jar.toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
}
