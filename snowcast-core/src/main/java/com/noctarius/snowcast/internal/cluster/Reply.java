// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The answer to a call between members, in the version of the request. */
final class Reply implements IdentifiedDataSerializable {
    private int wireVersion;
    private @Nullable RequestType<?, ?> type;
    private @Nullable Object answer;

    Reply() {}

    <A> Reply(int wireVersion, RequestType<?, A> type, A answer) {
        this.wireVersion = wireVersion;
        this.type = type;
        this.answer = answer;
    }

    @SuppressWarnings("unchecked") // The answer is of the type that its call says.
    <A> A to(RequestType<?, A> asked) {
        if (!asked.equals(type)) {
            throw new IllegalStateException("an answer to " + type + ", not to " + asked);
        }
        return (A) Objects.requireNonNull(answer);
    }

    @Override
    public int getFactoryId() {
        return ClassIds.FACTORY;
    }

    @Override
    public int getClassId() {
        return ClassIds.REPLY;
    }

    @Override
    @SuppressWarnings("unchecked") // as above
    public void writeData(ObjectDataOutput out) throws IOException {
        RequestType<?, ?> answered = Objects.requireNonNull(type);
        out.writeByte(wireVersion);
        RequestType.FORM.write(out, answered);
        ((Form<Object>) answered.answer()).write(out, Objects.requireNonNull(answer));
    }

    @Override
    public void readData(ObjectDataInput in) {
        answer = WireInput.read(in, "an answer", input -> {
            wireVersion = input.version();
            RequestType<?, ?> answered = input.value(RequestType.FORM);
            type = answered;
            return input.value(answered.answer());
        });
    }
}
