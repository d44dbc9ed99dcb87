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
 * The auto-configuration for MyBatis-Plus, on Spring Boot 3.5 and 4. It declares a {@link SnowcastIdentifierGenerator}
 * with the sequencers of the context. Entities that name no sequencer use the only or the primary sequencer. The
 * auto-configuration backs off if there is another {@link IdentifierGenerator} bean, or with
 * {@code snowcast.enabled=false}. If there are no sequencers, it still replaces the generator of MyBatis-Plus, which
 * would guess node IDs. Inserts that need an ID then throw.
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
    /** Creates the auto-configuration; Spring calls this. */
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
