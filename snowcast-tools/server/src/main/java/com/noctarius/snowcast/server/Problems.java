// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.databind.json.JsonMapper;

/** Answers every failure with problem details (RFC 9457). */
@RestControllerAdvice
final class Problems extends ResponseEntityExceptionHandler {
    /** A lease is extended, and a member found, within seconds or not at all. */
    static final String RETRY_SECONDS = "5";

    /** The name is none of those that are configured. */
    @ExceptionHandler
    ProblemDetail unknown(UnknownNameException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, e.getMessage());
    }

    /** A count or an ID that cannot be. */
    @ExceptionHandler
    ProblemDetail wrong(IllegalArgumentException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, e.getMessage());
    }

    /** No request will ever be served again under that name. */
    @ExceptionHandler
    ProblemDetail exhausted(IntegerSequenceExhaustedException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.GONE, e.getMessage());
    }

    /** The cluster or the store cannot serve; one that can by itself later is worth another request. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> unavailable(SnowcastException e) {
        boolean isLasting = e.getCause() instanceof NonTransientBlockStoreException
                || (e instanceof SnowcastIllegalStateException && !(e instanceof SnowcastUnavailableException));
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE);
        if (!isLasting) {
            answer.header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        }
        return answer.body(ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, e.getMessage()));
    }

    /** As many streams are open as may be. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> tooMany(TooManyStreamsException e) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                .body(ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, e.getMessage()));
    }

    /** The server ends while a request waits. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                .body(ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "This server is shutting down"));
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String name = e instanceof MethodArgumentTypeMismatchException argument ? argument.getName() : "the value";
        ProblemDetail problem =
                ProblemDetail.forStatusAndDetail(status, name + " must be a whole number: " + e.getValue());
        return handleExceptionInternal(e, problem, headers, status, request);
    }

    /** Writes a problem where Spring MVC is not reached. */
    static void write(JsonMapper json, HttpServletRequest request, HttpServletResponse response, ProblemDetail problem)
            throws IOException {
        problem.setInstance(URI.create(request.getRequestURI()));
        response.setStatus(problem.getStatus());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(json.writeValueAsBytes(problem));
    }

    /** What a filter or Tomcat refuses, and what nobody foresaw. */
    @RestController
    static final class Unforeseen implements ErrorController {
        @RequestMapping("${server.error.path:/error}")
        ResponseEntity<ProblemDetail> error(HttpServletRequest request) {
            Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
            HttpStatus status = code instanceof Integer number ? HttpStatus.resolve(number) : HttpStatus.NOT_FOUND;
            ProblemDetail problem = ProblemDetail.forStatus(status == null ? HttpStatus.BAD_REQUEST : status);
            if (request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String path) {
                problem.setInstance(URI.create(path));
            }
            return ResponseEntity.status(problem.getStatus()).body(problem);
        }
    }
}
