// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.spring.data.NamedBeans;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Gives the sequencers of the context to MyBatis-Plus, on Spring Boot 3.5 and 4: the only one, or the primary one, also
 * to entities that name none. Backs off for another {@link IdentifierGenerator}, and with
 * {@code snowcast.enabled=false}. Without any sequencer, inserts that need an ID fail: MyBatis-Plus is not left to
 * guess node IDs.
 */
@AutoConfiguration(
        afterName = "com.noctarius.snowcast.spring.SnowcastAutoConfiguration",
        beforeName = {
            "com.baomidou.mybatisplus.autoconfigure.IdentifierGeneratorAutoConfiguration",
            "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration"
        })
@ConditionalOnClass(IdentifierGenerator.class)
@ConditionalOnProperty(prefix = "snowcast", name = "enabled", matchIfMissing = true)
public class SnowcastMybatisAutoConfiguration {
    /** To be called by Spring. */
    public SnowcastMybatisAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(IdentifierGenerator.class)
    SnowcastIdentifierGenerator snowcastIdentifierGenerator(
            ListableBeanFactory beanFactory, ObjectProvider<SnowcastSequencer> sequencers) {
        Map<String, SnowcastSequencer> beans = NamedBeans.of(beanFactory, SnowcastSequencer.class);
        return new SnowcastIdentifierGenerator(
                beans, beans.size() == 1 ? beans.values().iterator().next() : sequencers.getIfUnique());
    }
}
