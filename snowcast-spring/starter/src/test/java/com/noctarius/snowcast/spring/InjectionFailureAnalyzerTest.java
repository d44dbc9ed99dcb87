// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Configuration;

/**
 * Tests the report of a start that fails because no bean matches an injected sequencer or integer sequence, or several
 * match.
 */
@Tag("integration")
class InjectionFailureAnalyzerTest {
    private static final String EPOCH = ".epoch=2024-01-01T00:00:00Z";

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(SnowcastAutoConfiguration.class)
    static class Application {}

    static final class ByParameter {
        ByParameter(SnowcastSequencer webOrders) {}
    }

    static final class ByQualifier {
        ByQualifier(@Qualifier("shopOrders") SnowcastSequencer sequencer) {}
    }

    static final class BySetter {
        @Autowired
        void take(IntegerSequence stamps) {}
    }

    private static FailureAnalysis failure(Class<?> bean, String... properties) {
        SpringApplication application = new SpringApplication(Application.class, MemoryBlockStore.class, bean);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        List<String> arguments = new ArrayList<>(List.of("--snowcast.standalone-node=7"));
        for (String property : properties) {
            arguments.add("--snowcast." + property);
        }
        assertThatThrownBy(() -> application.run(arguments.toArray(String[]::new)))
                .isNotNull();
        return Objects.requireNonNull(RecordingReporter.take(), "nothing was analyzed");
    }

    /**
     * The name of a Java parameter cannot contain a dash. The report proposes the bean whose name has the same letters
     * as the parameter.
     */
    @Test
    void aKeyWithADashIsToldAsTheQualifier() {
        FailureAnalysis failure =
                failure(ByParameter.class, "sequencers.orders" + EPOCH, "sequencers.web-orders" + EPOCH);
        assertThat(failure.getDescription())
                .isEqualTo("Parameter 0 of constructor in " + ByParameter.class.getName()
                        + " needs one SnowcastSequencer. There are: orders, web-orders; none of them has the name"
                        + " \"webOrders\".");
        assertThat(failure.getAction())
                .isEqualTo("Select one by @Qualifier(\"web-orders\"), or by the name of the parameter or field. The"
                        + " names are the keys in the properties. To inject one by default, declare it as a bean that"
                        + " is @Primary");
    }

    @Test
    void aQualifierThatNoneHasIsToldTheNames() {
        FailureAnalysis failure = failure(ByQualifier.class, "sequencers.shop-orders" + EPOCH);
        assertThat(failure.getDescription())
                .isEqualTo("Parameter 0 of constructor in " + ByQualifier.class.getName()
                        + " needs one SnowcastSequencer. There is: shop-orders; none of them has the name"
                        + " \"shopOrders\".");
        assertThat(failure.getAction()).startsWith("Select one by @Qualifier(\"shop-orders\")");
    }

    @Test
    void whereThereIsNoneThePropertyIsTold() {
        FailureAnalysis failure = failure(BySetter.class, "sequencers.orders" + EPOCH);
        assertThat(failure.getDescription())
                .isEqualTo("Parameter 0 of method take in " + BySetter.class.getName()
                        + " needs one IntegerSequence, and there is none.");
        assertThat(failure.getAction())
                .isEqualTo("Configure it: snowcast.sequences.products.first-value=1. Or declare a bean of that type");
        assertThat(failure(ByParameter.class, "sequences.products.first-value=1")
                        .getAction())
                .contains("snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z");
    }
}
