// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.quarkus;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.noctarius.snowcast.jackson.SnowcastJackson2Module;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;

@Singleton
class IdsInJson implements ObjectMapperCustomizer {
    @Override
    public void customize(ObjectMapper mapper) {
        mapper.registerModule(new SnowcastJackson2Module());
    }
}
