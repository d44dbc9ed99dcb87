// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.nio.serialization.HazelcastSerializationException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class OtherMembersTest {
    /**
     * A member without snowcast has no vote. If a member with snowcast took its own failures, such as a lack of memory,
     * for answers of members without snowcast, it could exclude all other members and confirm itself.
     */
    @Test
    void aMemberIsWithoutSnowcastOnlyIfItCannotReadTheQuestion() {
        RuntimeException unknown = new HazelcastSerializationException("no DataSerializerFactory for namespace -1");
        RuntimeException outOfMemory =
                new HazelcastSerializationException("an answer cannot be read", new OutOfMemoryError());
        assertThat(OtherMembers.saysWithoutSnowcast(unknown)).isTrue();
        assertThat(OtherMembers.saysWithoutSnowcast(new HazelcastSerializationException(unknown)))
                .isTrue();
        assertThat(OtherMembers.saysWithoutSnowcast(outOfMemory)).isFalse();
        assertThat(OtherMembers.saysWithoutSnowcast(new HazelcastSerializationException(outOfMemory)))
                .isFalse();
        assertThat(OtherMembers.saysWithoutSnowcast(
                        new HazelcastSerializationException("an answer cannot be read", new NoClassDefFoundError())))
                .as("an answer that came is one of snowcast")
                .isFalse();
        assertThat(OtherMembers.saysWithoutSnowcast(new HazelcastSerializationException(
                        "an answer cannot be read", new IllegalArgumentException())))
                .isFalse();
        assertThat(OtherMembers.saysWithoutSnowcast(new RuntimeException(new IOException())))
                .isFalse();
    }
}
