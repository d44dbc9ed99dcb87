// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceNameTest {
    private static final List<Consumer<String>> TAKERS = List.of(
            SequenceName::require,
            SequencerConfig::builder,
            IntegerSequenceConfig::builder,
            name -> new MemoryBlockStore().reserve(name, 1));

    private static void requireRefused(String name, String message) {
        for (Consumer<String> taker : TAKERS) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> taker.accept(name))
                    .withMessage(message);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a b", "orders", "a.b@c/d*", "Z\u00fcge", "\u4e16\u754c", "\ud83d\ude80"})
    void takesWhatPeopleWrite(String name) {
        TAKERS.forEach(taker -> taker.accept(name));
        assertThat(SequenceName.require(name)).isSameAs(name);
    }

    @Test
    void takesUpTo255Characters() {
        TAKERS.forEach(taker -> taker.accept("a".repeat(255)));
        requireRefused("a".repeat(256), "name must have 1 to 255 characters, not 256: " + "a".repeat(20) + "…");
        requireRefused("a".repeat(1 << 20), "name must have 1 to 255 characters, not 1048576: " + "a".repeat(20) + "…");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "   ", "\u2003"})
    void refusesWhatNobodyCouldRead(String blank) {
        requireRefused(blank, "name must not be blank: \"" + blank + '"');
    }

    @ParameterizedTest
    @CsvSource({
        "0000", "0007", "000A", "001F", "007F", "0085", "D800", "DFFF", "202E", "2028", "2029", "200B", "FEFF", "00AD"
    })
    void refusesWhatIsNoTextOfALine(String character) {
        int codePoint = Integer.parseInt(character, 16);
        requireRefused(
                "a" + (char) codePoint,
                "name must have no control, format or line-separating characters and no halves of surrogate pairs: U+"
                        + character + " at index 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {" a", "a ", "a\u00a0", "\u3000a"})
    void refusesWhiteSpaceAround(String name) {
        requireRefused(name, "name must not begin or end with white space: \"" + name + '"');
    }
}
