// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import picocli.CommandLine.IVersionProvider;

/** Returns the version from the jar's manifest. Classes outside a jar have no version. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"snowcast " + (version == null ? "of a source tree" : version)};
    }
}
