// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** Answers with problem details if Tomcat itself rejects a request, which then does not reach Spring. */
public final class TomcatProblems extends ErrorReportValve {
    /** Tomcat calls this constructor by reflection. */
    public TomcatProblems() {}

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        if (response.getStatus() < HttpStatus.BAD_REQUEST.value()
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.getOutputStream().write(problem(response.getStatus()));
            response.finishResponse();
        } catch (IOException | IllegalStateException e) {
            return; // The client has disconnected.
        }
    }

    /** Returns the answer. It does not contain the path, because the path may be the invalid part. */
    private static byte[] problem(int code) {
        HttpStatus status = HttpStatus.resolve(code);
        String title = status == null ? "Error" : status.getReasonPhrase();
        return ("{\"title\":\"" + title + "\",\"status\":" + code + ",\"detail\":\"The server cannot read this request:"
                        + " its path, a header, or its host has a form that is not allowed, or is too long\"}")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
