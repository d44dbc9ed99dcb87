// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The base class of test classes whose contexts share one member, which keeps running when the contexts close. */
@Tag("integration")
abstract class MemberOfTests {
    @AutoClose("shutdown")
    static HazelcastInstance member;

    static Snowcast snowcast;

    @BeforeAll
    static void startMember() {
        member = Members.start();
        snowcast = SnowcastSystem.snowcast(member);
    }

    @Configuration(proxyBeanMethods = false)
    static class SharedMember {
        @Bean(destroyMethod = "")
        HazelcastInstance hazelcast() {
            return member;
        }
    }

    static ApplicationContextRunner shared(String... properties) {
        return Boot.runner().withUserConfiguration(SharedMember.class).withPropertyValues(properties);
    }
}
