// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;

/**
 * The module that adds support for {@link JsonSnowcastId} to a {@code JsonMapper} of Jackson 3.
 * {@code findAndAddModules()} finds it; Spring Boot registers it if snowcast-spring is on the class path.
 */
public final class SnowcastJackson3Module extends JacksonModule {
    /** Creates the module. */
    public SnowcastJackson3Module() {}

    @Override
    public String getModuleName() {
        return SnowcastJackson3Module.class.getName();
    }

    /** Returns {@link Version#unknownVersion()}. */
    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    /**
     * Adds support for the annotation, and a check that rejects classes where Jackson ignores it on a constructor's
     * parameter.
     */
    @Override
    public void setupModule(SetupContext context) {
        context.insertAnnotationIntrospector(new Jackson3Introspector());
        context.addSerializerModifier(new Jackson3Modifier());
    }
}
