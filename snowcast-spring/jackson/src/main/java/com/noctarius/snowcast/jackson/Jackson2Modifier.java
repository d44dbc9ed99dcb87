// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A serializer modifier that rejects a class if Jackson 2 ignores a {@link JsonSnowcastId} on a constructor's
 * parameter.
 */
final class Jackson2Modifier extends BeanSerializerModifier {
    @Serial
    private static final long serialVersionUID = 1L;

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config, BeanDescription bean, List<BeanPropertyWriter> writers) {
        // Introspect the class again, because Jackson has already removed the constructor parameters from this
        // description.
        WrittenProperty.requireHeeded(
                bean.getBeanClass(),
                () -> config.introspect(bean.getType()).findProperties().stream()
                        .map(Jackson2Modifier::written)
                        .toList());
        return writers;
    }

    private static WrittenProperty written(BeanPropertyDefinition property) {
        List<WrittenProperty.ConstructorParameter> parameters = new ArrayList<>();
        for (Iterator<AnnotatedParameter> found = property.getConstructorParameters(); found.hasNext(); ) {
            AnnotatedParameter parameter = found.next();
            parameters.add(new WrittenProperty.ConstructorParameter(
                    parameter.getOwner().getMember(), parameter.getIndex()));
        }
        AnnotatedMember accessor = property.getAccessor();
        return new WrittenProperty(
                property.getInternalName(),
                accessor == null ? null : accessor.getRawType(),
                accessor != null && accessor.hasAnnotation(JsonSnowcastId.class),
                parameters);
    }
}
