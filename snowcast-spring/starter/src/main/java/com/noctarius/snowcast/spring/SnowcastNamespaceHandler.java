// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import java.util.List;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.ManagedMap;
import org.springframework.beans.factory.xml.AbstractBeanDefinitionParser;
import org.springframework.beans.factory.xml.NamespaceHandlerSupport;
import org.springframework.beans.factory.xml.ParserContext;
import org.springframework.util.StringUtils;
import org.w3c.dom.Element;

/**
 * The handler of the XML namespace {@code http://www.noctarius.com/schema/snowcast}. It does not parse the values of
 * attributes, because they may contain placeholders. {@link SnowcastXml} parses them when it creates the bean, after
 * Spring has resolved the placeholders.
 */
final class SnowcastNamespaceHandler extends NamespaceHandlerSupport {
    private static final String DEFAULT_SYSTEM_ID = "snowcast";

    @Override
    public void init() {
        registerBeanDefinitionParser("system", new SystemParser());
        registerBeanDefinitionParser("sequencer", new SourceParser("sequencer", Setting.OF_SEQUENCER));
        registerBeanDefinitionParser("sequence", new SourceParser("sequence", Setting.OF_SEQUENCE));
    }

    private static final class SystemParser extends AbstractBeanDefinitionParser {
        @Override
        protected AbstractBeanDefinition parseInternal(Element element, ParserContext context) {
            return definition("system", element, context)
                    .addConstructorArgValue(reference(element, "hazelcast-instance-ref", HazelcastInstance.class))
                    .addConstructorArgValue(element.getAttribute(Setting.BACKUP_COUNT.key()))
                    .getBeanDefinition();
        }

        @Override
        protected String resolveId(Element element, AbstractBeanDefinition definition, ParserContext context) {
            return StringUtils.hasText(element.getAttribute(ID_ATTRIBUTE))
                    ? element.getAttribute(ID_ATTRIBUTE)
                    : DEFAULT_SYSTEM_ID;
        }
    }

    /** Parses the element of a sequencer or an integer sequence. */
    private static final class SourceParser extends AbstractBeanDefinitionParser {
        private final String factoryMethod;
        private final List<Setting> settings;

        SourceParser(String factoryMethod, List<Setting> settings) {
            this.factoryMethod = factoryMethod;
            this.settings = settings;
        }

        @Override
        protected AbstractBeanDefinition parseInternal(Element element, ParserContext context) {
            ManagedMap<String, String> texts = new ManagedMap<>();
            for (Setting setting : settings) {
                texts.put(setting.key(), element.getAttribute(setting.key()));
            }
            BeanDefinitionBuilder definition = definition(factoryMethod, element, context)
                    .addConstructorArgValue(reference(element, "system-ref", Snowcast.class))
                    .addConstructorArgValue(element.getAttribute(ID_ATTRIBUTE))
                    .addConstructorArgValue(texts);
            if (settings.contains(Setting.STORE_REF)) {
                String name = element.getAttribute(Setting.STORE_REF.key());
                definition.addConstructorArgValue(StringUtils.hasText(name) ? new RuntimeBeanReference(name) : null);
            }
            return definition.getBeanDefinition();
        }
    }

    private static BeanDefinitionBuilder definition(String factoryMethod, Element element, ParserContext context) {
        BeanDefinitionBuilder definition = BeanDefinitionBuilder.rootBeanDefinition(SnowcastXml.class, factoryMethod);
        definition.getRawBeanDefinition().setSource(context.extractSource(element));
        definition.setLazyInit(context.isDefaultLazyInit());
        return definition;
    }

    /** Returns a reference to the bean that the attribute names, or to the only or primary bean of the type. */
    private static RuntimeBeanReference reference(Element element, String attribute, Class<?> type) {
        String name = element.getAttribute(attribute);
        return StringUtils.hasText(name) ? new RuntimeBeanReference(name) : new RuntimeBeanReference(type);
    }
}
