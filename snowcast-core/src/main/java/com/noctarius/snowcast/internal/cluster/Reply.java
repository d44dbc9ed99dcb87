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

/** The answer to a call between members. */
final class Reply implements IdentifiedDataSerializable {
    private @Nullable RequestType<?, ?> type;
    private @Nullable Object answer;

    Reply() {}

    <A> Reply(RequestType<?, A> type, A answer) {
        this.type = type;
        this.answer = answer;
    }

    @SuppressWarnings("unchecked") // The answer has the type that its call defines.
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
        out.writeByte(WireInput.VERSION);
        RequestType.FORM.write(out, answered);
        ((Form<Object>) answered.answer()).write(out, Objects.requireNonNull(answer));
    }

    @Override
    public void readData(ObjectDataInput in) {
        answer = WireInput.read(in, "an answer", input -> {
            RequestType<?, ?> answered = input.value(RequestType.FORM);
            type = answered;
            return input.value(answered.answer());
        });
    }
}
