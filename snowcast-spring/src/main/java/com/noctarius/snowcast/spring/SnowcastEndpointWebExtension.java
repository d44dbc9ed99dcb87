// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The endpoint over HTTP: what is wrong with a request stands in the body, which Boot would leave out by default. */
@EndpointWebExtension(endpoint = SnowcastEndpoint.class)
final class SnowcastEndpointWebExtension {
    private final SnowcastEndpoint endpoint;

    SnowcastEndpointWebExtension(SnowcastEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    WebEndpointResponse<Object> sequencer(@Selector String sequencer) {
        return found(sequencer, endpoint.sequencer(sequencer));
    }

    @ReadOperation
    WebEndpointResponse<Object> id(@Selector String sequencer, @Selector String id) {
        try {
            return found(sequencer, endpoint.id(sequencer, id));
        } catch (InvalidEndpointRequestException e) {
            return error(WebEndpointResponse.STATUS_BAD_REQUEST, Objects.requireNonNullElse(e.getMessage(), ""));
        }
    }

    private WebEndpointResponse<Object> found(String sequencer, @Nullable Object result) {
        return result == null
                ? error(
                        WebEndpointResponse.STATUS_NOT_FOUND,
                        "sequencer must be one of "
                                + endpoint.sequencers().sequencers().keySet() + ": " + sequencer)
                : new WebEndpointResponse<>(result);
    }

    private static WebEndpointResponse<Object> error(int status, String message) {
        return new WebEndpointResponse<>(Map.of("error", message), status);
    }
}
