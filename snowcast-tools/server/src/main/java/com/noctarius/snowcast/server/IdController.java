// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Hands out IDs and integers, and takes IDs apart. In JSON they are texts: JavaScript would round numbers. */
@RestController
final class IdController {
    private final Configured configured;
    private final int maxCount;

    IdController(Configured configured, ServerProperties properties) {
        this.configured = configured;
        this.maxCount = properties.maxCount();
    }

    /** IDs, in increasing order. */
    record Ids(String sequencer, List<String> ids) {}

    /** Integers, in the order in which the sequence gave them. */
    record Integers(String sequence, List<String> integers) {}

    @PostMapping("/ids/{sequencer}")
    Ids ids(@PathVariable String sequencer, @RequestParam(defaultValue = "1") int count) throws InterruptedException {
        SnowcastSequencer found = configured.sequencer(sequencer);
        return new Ids(sequencer, texts(found.next(allowed(count)), Long::toString));
    }

    @PostMapping("/integers/{sequence}")
    Integers integers(@PathVariable String sequence, @RequestParam(defaultValue = "1") int count)
            throws InterruptedException {
        return new Integers(sequence, texts(configured.sequence(sequence).next(allowed(count)), Long::toString));
    }

    @GetMapping("/ids/{sequencer}/{id}")
    DecodedId decode(@PathVariable String sequencer, @PathVariable String id) {
        SnowcastSequencer found = configured.sequencer(sequencer);
        try {
            return DecodedId.of(sequencer, DecodedId.parse(id, found));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "id must be one of the sequencer " + sequencer + ", as a decimal number, in Base62 or Base32, as a"
                            + " UUID, or as time, node and counter, which this is not: " + e.getMessage(),
                    e);
        }
    }

    private int allowed(int count) {
        if (count < 1 || count > maxCount) {
            throw new IllegalArgumentException("count must be 1 to " + maxCount + " on this server: " + count);
        }
        return count;
    }

    private static List<String> texts(long[] numbers, LongFunction<String> text) {
        return Arrays.stream(numbers).mapToObj(text).toList();
    }
}
