// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastStateException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
    private final List<String> gone = new ArrayList<>();
    private final Names<String> names = new Names<>(gone::add);

    /** The shutdown closes the registered instances. An instance that is opened later would never be closed. */
    @Test
    void anInstanceThatComesAfterTheEndIsNotOpened() {
        List<String> opened = new ArrayList<>();
        try (Names.Slot<String> slot = names.lock("orders", "sequencer orders")) {
            assertThat(names.close("it was shut down")).isEmpty();

            assertThatThrownBy(() -> slot.open("instance", "sequencer orders", () -> opened.add("instance")))
                    .isInstanceOf(SnowcastStateException.class)
                    .hasMessage("sequencer orders cannot be created: it was shut down");
        }
        assertThat(opened).isEmpty();
        assertThat(names.all()).isEmpty();
        assertThat(gone).containsExactly("instance");
    }

    @Test
    void anInstanceIsFoundWhileItIsOpened() {
        try (Names.Slot<String> slot = names.lock("orders", "sequencer orders")) {
            slot.open(
                    "instance",
                    "sequencer orders",
                    () -> assertThat(names.close("it was shut down")).containsExactly("instance"));
        }
        assertThat(names.find("orders")).isEqualTo("instance");
    }
}
