// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The properties of the server itself. The Spring Boot starter defines the ones that begin with {@code snowcast.}. */
@ConfigurationProperties(value = ServerProperties.PREFIX, ignoreUnknownFields = false)
record ServerProperties(
        @Nullable String token,
        @DefaultValue("10000") int maxCount,
        @DefaultValue("32") int maxStreams) {
    static final String PREFIX = "snowcast-server";
    static final String TOKEN = PREFIX + ".token";
    static final String MAX_COUNT = PREFIX + ".max-count";
    static final String MAX_STREAMS = PREFIX + ".max-streams";

    static final int MOST_COUNT = 1_000_000;
    static final int MOST_STREAMS = 1_000;
    static final int MIN_TOKEN_LENGTH = 16;
    /** The characters of a token, according to RFC 6750. */
    private static final Pattern TOKENS = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    ServerProperties {
        // The message does not contain the token, because the message may be logged.
        if (token != null
                && (token.length() < MIN_TOKEN_LENGTH || !TOKENS.matcher(token).matches())) {
            throw new WrongSettingException(
                    TOKEN,
                    "must have " + MIN_TOKEN_LENGTH + " or more of A-Z a-z 0-9 - . _ ~ + / and may end in =, and has "
                            + token.length() + " characters",
                    "Take a random one, such as that of: openssl rand -base64 32");
        }
        requireWithin(MAX_COUNT, maxCount, MOST_COUNT);
        requireWithin(MAX_STREAMS, maxStreams, MOST_STREAMS);
    }

    private static void requireWithin(String property, int value, int max) {
        if (value < 1 || value > max) {
            throw new WrongSettingException(
                    property, "must be 1 to " + max + ": " + value, "Set it within, or leave it out");
        }
    }
}
