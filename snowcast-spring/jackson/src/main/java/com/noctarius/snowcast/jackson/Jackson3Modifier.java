// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import java.io.Serial;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * A serializer modifier that rejects a class if Jackson 3 ignores a {@link JsonSnowcastId} on a constructor's
 * parameter.
 */
final class Jackson3Modifier extends ValueSerializerModifier {
    @Serial
    private static final long serialVersionUID = 1L;

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config, BeanDescription.Supplier bean, List<BeanPropertyWriter> writers) {
        // Introspect the class again, because Jackson has already removed the constructor parameters from this
        // description.
        WrittenProperty.requireHeeded(
                bean.getBeanClass(),
                () -> config
                        .classIntrospectorInstance()
                        .forOperation(config)
                        .introspectForSerialization(bean.getType(), bean.getClassInfo())
                        .findProperties()
                        .stream()
                        .map(Jackson3Modifier::written)
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
