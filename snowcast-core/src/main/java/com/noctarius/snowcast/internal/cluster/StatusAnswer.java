// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.StatusForms;
import com.noctarius.snowcast.internal.wire.WireInput;
import com.noctarius.snowcast.internal.wire.WireVersion;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A part of a status on its way to a client. */
final class StatusAnswer implements IdentifiedDataSerializable {
    private static final Form<StatusPage> FORM = new Form<>(
            (out, page) -> {
                StatusForms.STATUS.write(out, page.status());
                PageRequest.FORM.writeNullable(out, page.next());
            },
            in -> new StatusPage(in.value(StatusForms.STATUS), in.value(PageRequest.FORM.nullable())));

    private @Nullable StatusPage page;

    /** Made to be read. */
    StatusAnswer() {}

    StatusAnswer(StatusPage page) {
        this.page = page;
    }

    StatusPage page() {
        return Objects.requireNonNull(page, "an answer is used after it was read");
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(WireVersion.NEWEST);
        FORM.write(out, page());
    }

    @Override
    public void readData(ObjectDataInput in) {
        page = WireInput.read(in, "a status", FORM.reader());
    }

    @Override
    public int getFactoryId() {
        return ClassIds.FACTORY;
    }

    @Override
    public int getClassId() {
        return ClassIds.STATUS_ANSWER;
    }
}
