// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/** Rejects requests with a body. The API needs no body, and reading one may occupy a thread for a long time. */
final class NoBodyFilter extends OncePerRequestFilter {
    private final JsonMapper json;

    NoBodyFilter(JsonMapper json) {
        this.json = json;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String type = request.getContentType();
        if (type != null && type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
            // Reject the request even without a body, before Tomcat tries to parse its parts.
            Problems.write(
                    json,
                    request,
                    response,
                    ProblemDetail.forStatusAndDetail(
                            HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                            "A request must have no parts: its parameters are in the path and the query"));
        } else if (WorkerThreads.hasBody(request)) {
            Problems.write(
                    json,
                    request,
                    response,
                    ProblemDetail.forStatusAndDetail(
                            HttpStatus.CONTENT_TOO_LARGE,
                            "A request must have no body: its parameters are in the path and the query"));
        } else {
            chain.doFilter(request, response);
        }
    }
}
