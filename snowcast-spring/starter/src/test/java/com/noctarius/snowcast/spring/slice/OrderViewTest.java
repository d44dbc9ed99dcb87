// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.json.JacksonTester;

/** Tests the JSON slice of the application. */
@Tag("integration")
@JsonTest
class OrderViewTest {
    private final JacksonTester<OrderView> json;

    OrderViewTest(@Autowired JacksonTester<OrderView> json) {
        this.json = json;
    }

    @Test
    void anIdIsText() throws IOException {
        assertThat(json.write(new OrderView(764796226110234663L, "Oslo")))
                .isEqualToJson("{\"id\":\"764796226110234663\",\"city\":\"Oslo\"}");
    }
}
