// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.SnowcastSequencer;
import java.util.regex.Pattern;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * Issues IDs and integers, and decodes IDs. In JSON, IDs and integers are strings, because JavaScript would round large
 * numbers.
 */
@RestController
final class IdController {
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?\\d{1,9}");

    private final Configured configured;
    private final int maxCount;

    IdController(Configured configured, ServerProperties properties) {
        this.configured = configured;
        this.maxCount = properties.maxCount();
    }

    /** Issued IDs, in increasing order. */
    @SuppressWarnings("ArrayRecordComponent") // It is only serialized.
    record Ids(
            String sequencer,
            @JsonSerialize(using = Texts.class) long[] ids) {}

    /** Issued integers, in the order of the sequence. */
    @SuppressWarnings("ArrayRecordComponent")
    record Integers(
            String sequence,
            @JsonSerialize(using = Texts.class) long[] integers) {}

    /**
     * Makes one string at a time, because all strings of a large batch would take ten times as much memory as the
     * numbers.
     */
    static final class Texts extends ValueSerializer<long[]> {
        @Override
        public void serialize(long[] numbers, JsonGenerator json, SerializationContext context) {
            json.writeStartArray();
            for (long number : numbers) {
                json.writeString(Long.toString(number));
            }
            json.writeEndArray();
        }
    }

    @PostMapping("/ids/{sequencer}")
    Ids ids(@PathVariable String sequencer, @RequestParam(defaultValue = "1") String count)
            throws InterruptedException {
        SnowcastSequencer found = configured.sequencer(sequencer);
        return new Ids(sequencer, found.next(allowed(count)));
    }

    @PostMapping("/integers/{sequence}")
    Integers integers(@PathVariable String sequence, @RequestParam(defaultValue = "1") String count)
            throws InterruptedException {
        return new Integers(sequence, configured.sequence(sequence).next(allowed(count)));
    }

    @GetMapping("/ids/{sequencer}/{id}")
    DecodedId decode(@PathVariable String sequencer, @PathVariable String id) {
        SnowcastSequencer found = configured.sequencer(sequencer);
        try {
            return DecodedId.of(sequencer, DecodedId.parse(id, found));
        } catch (IllegalArgumentException e) {
            throw new WrongRequestException("id must be an ID of the sequencer " + sequencer
                    + ", as a decimal number, in Base62 or Base32, as a" + " UUID, or as time, node and counter: "
                    + reason(e, id));
        }
    }

    /** Returns the exception's message, or the ID instead of Java's own messages, which are meant for developers. */
    private static String reason(IllegalArgumentException e, String id) {
        String message = String.valueOf(e.getMessage());
        return e instanceof NumberFormatException || message.startsWith("Invalid UUID") ? id : message;
    }

    /** Parses the count of a request. Spring would accept {@code 0x10} as a number. */
    private int allowed(String count) {
        if (!WHOLE_NUMBER.matcher(count).matches()) {
            throw new WrongRequestException("count must be a whole number: " + count);
        }
        int number = Integer.parseInt(count);
        if (number < 1 || number > maxCount) {
            throw new WrongRequestException("count must be 1 to " + maxCount + " on this server: " + count);
        }
        return number;
    }
}
