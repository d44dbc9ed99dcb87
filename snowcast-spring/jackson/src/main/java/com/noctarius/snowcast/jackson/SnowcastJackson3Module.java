// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;

/**
 * Makes a {@code JsonMapper} of Jackson 3 support {@link JsonSnowcastId}. {@code findAndAddModules()} finds it; Spring
 * Boot registers it when snowcast-spring is on the class path.
 */
public final class SnowcastJackson3Module extends JacksonModule {
    /** Creates the module. */
    public SnowcastJackson3Module() {}

    @Override
    public String getModuleName() {
        return SnowcastJackson3Module.class.getName();
    }

    /** Returns no version: the module has none of its own. */
    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    /** Adds what finds the annotation, and what refuses classes where it has no effect. */
    @Override
    public void setupModule(SetupContext context) {
        context.insertAnnotationIntrospector(new Jackson3Introspector());
        context.addSerializerModifier(new Jackson3Modifier());
    }
}
