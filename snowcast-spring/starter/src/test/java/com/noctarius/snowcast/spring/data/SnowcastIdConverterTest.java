// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import com.noctarius.snowcast.jackson.JsonSnowcastId;
import com.noctarius.snowcast.jackson.JsonSnowcastId.Form;
import com.noctarius.snowcast.spring.Boot;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

class SnowcastIdConverterTest {
    private static final String TEXT = "ord_0N78T3PBDR817";
    private static final long ID = 764796226110234663L;
    private static final TypeDescriptor STRING = TypeDescriptor.valueOf(String.class);

    private final DefaultFormattingConversionService conversion = new DefaultFormattingConversionService();

    SnowcastIdConverterTest() {
        conversion.addConverter(new SnowcastIdConverter());
    }

    @JsonSnowcastId(value = Form.BASE32, prefix = "ord_")
    record OrderId(long value) {}

    @RestController
    static class Orders {
        @GetMapping("/numbers/{id}")
        String number(@PathVariable("id") @JsonSnowcastId(value = Form.BASE32, prefix = "ord_") long id) {
            return "number " + id;
        }

        @GetMapping("/texts/{id}")
        String text(@PathVariable("id") @JsonSnowcastId(value = Form.BASE32, prefix = "ord_") String id) {
            return "text " + id;
        }

        @GetMapping("/records/{id}")
        OrderId record(@PathVariable("id") OrderId id) {
            return id;
        }

        @GetMapping("/lists")
        String list(@RequestParam("id") @JsonSnowcastId(value = Form.BASE32, prefix = "ord_") List<Long> ids) {
            return "list " + ids;
        }

        @GetMapping("/plain/{id}")
        String plain(@PathVariable("id") long id) {
            return "plain " + id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Application {}

    @Test
    @Tag("integration")
    void bootReadsThemInPathsAndParameters() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .properties("snowcast.enabled=false", "server.port=0", Boot.NO_DATABASES)
                .run()) {
            MockMvc mvc = MockMvcBuilders.webAppContextSetup((WebApplicationContext) context)
                    .build();
            expect(mvc, "/numbers/" + TEXT, "number " + ID);
            expect(mvc, "/texts/ord_on78t3pbdr8L7", "text " + TEXT);
            expect(mvc, "/records/" + TEXT, "\"" + TEXT + "\"");
            expect(mvc, "/lists?id=" + TEXT + "&id=" + TEXT, "list [" + ID + ", " + ID + "]");
            expect(mvc, "/plain/17", "plain 17");
            // If the text cannot be read as an ID and the parameter is a number, Spring itself parses a number.
            expect(mvc, "/numbers/" + ID, "number " + ID);
            expect(mvc, "/numbers/0x1F", "number 31");
            for (String path : List.of(
                    "/numbers/inv_0N78T3PBDR817",
                    "/numbers/ord_" + ID,
                    "/texts/" + ID,
                    "/records/" + ID,
                    "/records/0x1F",
                    "/texts/ord_0N78T3PBDR81",
                    "/records/ord_UN78T3PBDR817",
                    "/lists?id=" + TEXT + "&id=x")) {
                MvcResult result = mvc.perform(get(path)).andReturn();
                assertThat(result.getResponse().getStatus()).as(path).isEqualTo(400);
                assertThat(result.getResolvedException()).isInstanceOf(MethodArgumentTypeMismatchException.class);
            }
        }
    }

    private static void expect(MockMvc mvc, String path, String body) throws Exception {
        assertThat(mvc.perform(get(path)).andReturn().getResponse().getContentAsString())
                .isEqualTo(body);
    }

    private static TypeDescriptor parameter(String methodName) {
        Method method = Stream.of(Orders.class.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals(methodName))
                .findAny()
                .orElseThrow();
        return new TypeDescriptor(new MethodParameter(method, 0));
    }

    private @Nullable Object read(String text, String methodName) {
        return conversion.convert(text, STRING, parameter(methodName));
    }

    @Test
    void whatIsReadIsWritten() {
        assertThat(read(TEXT, "number")).isEqualTo(ID);
        assertThat(read(TEXT, "record")).isEqualTo(new OrderId(ID));
        assertThat(conversion.convert(ID, parameter("number"), STRING)).isEqualTo(TEXT);
        assertThat(conversion.convert(new OrderId(ID), parameter("record"), STRING))
                .isEqualTo(TEXT);
        assertThat(conversion.convert(ID, parameter("plain"), STRING)).isEqualTo(Long.toString(ID));
    }
}
