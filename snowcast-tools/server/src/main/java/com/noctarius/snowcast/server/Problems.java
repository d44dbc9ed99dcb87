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
import java.net.URISyntaxException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
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
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.databind.json.JsonMapper;

/** Returns problem details (RFC 9457) for every failure that Spring handles. */
@RestControllerAdvice
final class Problems extends ResponseEntityExceptionHandler {
    private static final System.Logger LOGGER = System.getLogger(Problems.class.getName());

    /** Clients should retry after this time, because renewing a lease or finding a member usually takes seconds. */
    static final String RETRY_SECONDS = "5";

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unknown(UnknownNameException e) {
        return problem(HttpStatus.NOT_FOUND, e, false);
    }

    /** An {@code IllegalArgumentException} has no handler: it is a server error, whose message clients must not get. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> wrong(WrongRequestException e) {
        return problem(HttpStatus.BAD_REQUEST, e, false);
    }

    /** Answers without Retry-After, because a used-up sequence needs an operator. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> exhausted(IntegerSequenceExhaustedException e) {
        return problem(HttpStatus.GONE, e, false);
    }

    /**
     * Answers a request that the cluster, the database or the store cannot serve, with Retry-After if a retry may help.
     */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> unavailable(SnowcastException e) {
        boolean isLasting = e.getCause() instanceof NonTransientBlockStoreException
                || (e instanceof SnowcastIllegalStateException && !(e instanceof SnowcastUnavailableException));
        return problem(HttpStatus.SERVICE_UNAVAILABLE, isOfDatabase(e) ? told(e) : e, !isLasting);
    }

    /**
     * Returns whether a JDBC driver failed. Only the log gets the driver's message, which may name tables, users and
     * hosts.
     */
    private static boolean isOfDatabase(Exception e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException) {
                return true;
            }
        }
        return false;
    }

    private static Exception told(Exception e) {
        LOGGER.log(System.Logger.Level.WARNING, "The database cannot serve a request: {0}", e.getMessage());
        return new SnowcastException("The database cannot serve this request; the log of the server says why");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> tooMany(TooManyStreamsException e) {
        return problem(HttpStatus.SERVICE_UNAVAILABLE, e, true);
    }

    /** Answers a request whose wait was interrupted by the server's shutdown. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return problem(HttpStatus.SERVICE_UNAVAILABLE, new InterruptedException("This server is shutting down"), true);
    }

    private static ResponseEntity<ProblemDetail> problem(HttpStatus status, Exception e, boolean mayPass) {
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(status).contentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (mayPass) {
            answer.header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        }
        return answer.body(ProblemDetail.forStatusAndDetail(status, e.getMessage()));
    }

    /** Answers in JSON, even if the request does not accept JSON. */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(body);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
            NoResourceFoundException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                status, "There is nothing at this path; /openapi.yaml describes what there is");
        return handleExceptionInternal(e, problem, headers, status, request);
    }

    /** Returns a path as a URI; {@code /} if it is not a valid URI, because Spring's own parsing would then fail. */
    static URI instance(String path) {
        try {
            return new URI(path);
        } catch (URISyntaxException e) {
            return URI.create("/");
        }
    }

    /** Writes a problem for a request that does not reach Spring MVC. */
    static void write(JsonMapper json, HttpServletRequest request, HttpServletResponse response, ProblemDetail problem)
            throws IOException {
        problem.setInstance(instance(request.getRequestURI()));
        response.setStatus(problem.getStatus());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(json.writeValueAsBytes(problem));
    }

    /** Answers requests that a filter or Tomcat rejects, and unexpected failures. */
    @RestController
    static final class Unforeseen implements ErrorController {
        @RequestMapping("${server.error.path:/error}")
        ResponseEntity<ProblemDetail> error(HttpServletRequest request) {
            Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
            HttpStatus status = code instanceof Integer number ? HttpStatus.resolve(number) : HttpStatus.NOT_FOUND;
            ProblemDetail problem = ProblemDetail.forStatus(status == null ? HttpStatus.BAD_REQUEST : status);
            Object path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
            problem.setInstance(instance(path instanceof String text ? text : request.getRequestURI()));
            return ResponseEntity.status(problem.getStatus())
                    .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                    .body(problem);
        }
    }
}
