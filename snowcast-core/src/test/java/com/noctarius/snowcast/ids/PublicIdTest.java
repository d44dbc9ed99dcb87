// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicIdTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0-0000000000000",
        "2, -1916114259792141327, 2-EAT4R7EA0ERZH",
        "2147483647, -1, 2147483647-FZZZZZZZZZZZZ"
    })
    void textForm(int keyNumber, long value, String text) {
        assertThat(new PublicId(keyNumber, value)).hasToString(text);
        assertThat(PublicId.parse(text)).isEqualTo(new PublicId(keyNumber, value));
    }

    @Test
    void comesBackFromText() {
        long seed = Long.getLong("snowcast.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            PublicId id = new PublicId(random.nextInt() >>> (1 + random.nextInt(30)), random.nextLong());
            assertThat(PublicId.parse(id.toString()))
                    .as("-Dsnowcast.seed=%d", seed)
                    .isEqualTo(id);
        }
    }

    @Test
    void readsLowerCaseAndLettersThatLookLikeDigits() {
        assertThat(PublicId.parse("2-eat4r7eaoerzh")).isEqualTo(PublicId.parse("2-EAT4R7EA0ERZH"));
        assertThat(PublicId.parse("2-ILOOOOOOOOOOO")).isEqualTo(PublicId.parse("2-1100000000000"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "''|public ID must be written like 2-EAT4R7EA0ERZH: \"\"",
                "EAT4R7EA0ERZH|public ID must be written like 2-EAT4R7EA0ERZH: \"EAT4R7EA0ERZH\"",
                "2--AT4R7EA0ERZH|Base32 must consist of 0-9 and A-Z without U, not '-' at index 0: \"-AT4R7EA0ERZH\"",
                "2-|Base32 must have 13 characters, not 0: \"\"",
                "2-GAT4R7EA0ERZH|Base32 must be at most FZZZZZZZZZZZZ, which is 2^64 - 1: \"GAT4R7EA0ERZH\""
            })
    void refusesWhatIsNotAPublicId(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PublicId.parse(text))
                .withMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "02", "+2", " 2", "\u0662", "a", "2147483648", "-"})
    void refusesWhatIsNotANumberOfAKey(String number) {
        String text = number + "-EAT4R7EA0ERZH";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PublicId.parse(text))
                .withMessage("key number must be 0 to 2147483647, without zeros in front: \"" + text + '"');
    }

    @Test
    void refusesNegativeKeyNumbers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PublicId(-1, 0))
                .withMessage("keyNumber must be 0 or more: -1");
    }
}
