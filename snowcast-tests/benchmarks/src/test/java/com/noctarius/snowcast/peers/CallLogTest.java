// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallLogTest {
    /** More records than the first mapped part of the file has, so that the test also covers the next part. */
    private static final int MANY = 200_000;

    @TempDir
    private Path directory;

    @Test
    void whatWasWrittenIsRead() throws Exception {
        Path file = directory.resolve("log");
        List<Call> written = new ArrayList<>();
        try (CallLog log = CallLog.open(file)) {
            for (int i = 1; i <= MANY; i++) {
                Id id = i % 3 == 0 ? Id.of(new UUID(i, -i)) : Id.of(-i);
                log.returned(i, i + 1, id);
                written.add(new Call(i, i + 1, id));
            }
            log.threw(MANY + 5, MANY + 6);
            written.add(new Call(MANY + 5, MANY + 6, null));
        }
        assertThat(CallLog.read(file)).isEqualTo(written);
    }

    @Test
    void anotherOneSeesHowManyIdsThereAre() throws Exception {
        Path file = directory.resolve("log");
        try (CallLog writer = CallLog.open(file);
                CallLog reader = CallLog.open(file)) {
            assertThat(reader.lastIdNanos()).isZero();
            writer.returned(1, 2, Id.of(7));
            writer.threw(3, 4);
            assertThat(reader.lastIdNanos()).isEqualTo(2);
            assertThat(reader.idCount()).isEqualTo(1);
        }
    }
}
