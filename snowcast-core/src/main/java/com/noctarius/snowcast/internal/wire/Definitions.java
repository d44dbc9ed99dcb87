// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import org.jspecify.annotations.Nullable;

/**
 * How a name is defined in the cluster.
 *
 * @param sequencer null if there is no sequencer of that name
 * @param integers null if there is no integer sequence of that name
 */
public record Definitions(
        @Nullable Definition sequencer, @Nullable PoolDefinition integers) {
    static final Form<Definitions> FORM = RecordForm.of(
            Definitions.class,
            field("sequencer", SequencerForms.DEFINITION.nullable()),
            field("integers", IntegerForms.DEFINITION.nullable()));
}
