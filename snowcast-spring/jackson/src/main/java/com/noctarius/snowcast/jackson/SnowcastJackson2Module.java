// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;

/**
 * Makes an {@code ObjectMapper} of Jackson 2 support {@link JsonSnowcastId}. {@code findAndRegisterModules()} finds it;
 * Spring Boot registers it when snowcast-spring is on the class path.
 */
public final class SnowcastJackson2Module extends Module {
    /** Creates the module. */
    public SnowcastJackson2Module() {}

    @Override
    public String getModuleName() {
        return SnowcastJackson2Module.class.getName();
    }

    /** Returns no version: the module has none of its own. */
    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    /** Adds what finds the annotation, and what refuses classes where it has no effect. */
    @Override
    public void setupModule(SetupContext context) {
        context.insertAnnotationIntrospector(new Jackson2Introspector());
        context.addBeanSerializerModifier(new Jackson2Modifier());
    }
}
