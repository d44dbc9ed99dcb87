// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation that one member sends to another. Hazelcast's own data are written first, then the wire version and the
 * content.
 */
abstract class SnowcastOperation<T> extends Operation implements IdentifiedDataSerializable {
    private final int classId;
    private final Form<T> form;
    private @Nullable T content;

    /** Makes an operation; {@code content} is null if Hazelcast is about to read the content. */
    SnowcastOperation(int classId, Form<T> form, @Nullable T content) {
        this.classId = classId;
        this.form = form;
        this.content = content;
    }

    final T content() {
        return Objects.requireNonNull(content);
    }

    final MemberServices services() {
        return getService();
    }

    @Override
    public final String getServiceName() {
        return MemberServices.NAME;
    }

    @Override
    public final int getFactoryId() {
        return ClassIds.FACTORY;
    }

    @Override
    public final int getClassId() {
        return classId;
    }

    @Override
    protected final void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        out.writeByte(WireInput.VERSION);
        form.write(out, content());
    }

    @Override
    protected final void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        content = WireInput.read(in, getClass().getSimpleName(), input -> input.value(form));
    }
}
