// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.noctarius.snowcast.internal.wire.Call;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The answer to a call between members, in the version of the request. */
final class Reply implements IdentifiedDataSerializable {
    private int wireVersion;
    private @Nullable Content<?> content;

    private record Content<A>(Call<?, A> call, A answer) {
        static <Q, A> Content<A> read(WireInput in, Call<Q, A> call) throws IOException {
            return new Content<>(call, in.value(call.answer()));
        }

        void write(ObjectDataOutput out) throws IOException {
            Call.FORM.write(out, call);
            call.answer().write(out, answer);
        }
    }

    Reply() {}

    <A> Reply(int wireVersion, Call<?, A> call, A answer) {
        this.wireVersion = wireVersion;
        this.content = new Content<>(call, answer);
    }

    @SuppressWarnings("unchecked") // The content's answer is of the type that its call says.
    <A> A to(Call<?, A> call) {
        Content<?> present = Objects.requireNonNull(content);
        if (present.call != call) {
            throw new IllegalStateException("an answer to " + present.call + ", not to " + call);
        }
        return (A) present.answer;
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
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeByte(wireVersion);
        Objects.requireNonNull(content).write(out);
    }

    @Override
    public void readData(ObjectDataInput in) {
        content = WireInput.read(in, "an answer", input -> {
            wireVersion = input.version();
            return Content.read(input, input.value(Call.FORM));
        });
    }
}
