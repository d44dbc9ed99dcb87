// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;

/**
 * The module that adds support for {@link JsonSnowcastId} to an {@code ObjectMapper} of Jackson 2.
 * {@code findAndRegisterModules()} finds it; Spring Boot registers it if snowcast-spring is on the class path.
 */
public final class SnowcastJackson2Module extends Module {
    /** Creates the module. */
    public SnowcastJackson2Module() {}

    @Override
    public String getModuleName() {
        return SnowcastJackson2Module.class.getName();
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
        context.insertAnnotationIntrospector(new Jackson2Introspector());
        context.addBeanSerializerModifier(new Jackson2Modifier());
    }
}
