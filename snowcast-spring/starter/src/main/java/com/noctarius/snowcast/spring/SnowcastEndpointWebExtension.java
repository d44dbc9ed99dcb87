// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.Map;
import java.util.Objects;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The HTTP variant of {@link SnowcastEndpoint}. It puts error messages into the body, which Boot does not do by
 * default.
 */
@EndpointWebExtension(endpoint = SnowcastEndpoint.class)
final class SnowcastEndpointWebExtension {
    private final SnowcastEndpoint endpoint;

    SnowcastEndpointWebExtension(SnowcastEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    WebEndpointResponse<Object> one(@Selector String name) {
        Object found = endpoint.one(name);
        if (found != null) {
            return new WebEndpointResponse<>(found);
        }
        SnowcastEndpoint.Overview all = endpoint.overview();
        return error(
                WebEndpointResponse.STATUS_NOT_FOUND,
                "name must be one of the sequencers " + all.sequencers().keySet() + ", integer sequences "
                        + all.sequences().keySet() + " or node leases "
                        + all.nodeLeases().keySet() + ": " + name);
    }

    @ReadOperation
    WebEndpointResponse<Object> id(@Selector String name, @Selector String id) {
        try {
            SnowcastEndpoint.Id found = endpoint.id(name, id);
            return found == null
                    ? error(
                            WebEndpointResponse.STATUS_NOT_FOUND,
                            "name must be one of the sequencers "
                                    + endpoint.overview().sequencers().keySet() + ": " + name)
                    : new WebEndpointResponse<>(found);
        } catch (InvalidEndpointRequestException e) {
            return error(WebEndpointResponse.STATUS_BAD_REQUEST, Objects.requireNonNullElse(e.getMessage(), ""));
        }
    }

    private static WebEndpointResponse<Object> error(int status, String message) {
        return new WebEndpointResponse<>(Map.of("error", message), status);
    }
}
