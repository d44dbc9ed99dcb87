// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rejects requests from pages of other sites in a browser on this machine. The filter checks the host, because a name
 * of another site may resolve to the loopback address (DNS rebinding). The filter checks the origin, because a page of
 * another site may send requests.
 */
final class SameMachineFilter extends OncePerRequestFilter {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final JsonMapper json;

    SameMachineFilter(JsonMapper json) {
        this.json = json;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String host = host(request);
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (!LOOPBACK.contains(host)) {
            refuse(request, response, "for the host " + host + ", only for localhost, 127.0.0.1 or [::1]");
        } else if (origin != null
                && !origin.equals(request.getScheme() + "://" + request.getHeader(HttpHeaders.HOST))) {
            refuse(request, response, "from the origin " + origin);
        } else if (isOfAnotherSite(request)) {
            refuse(request, response, "from a page of another site");
        } else {
            chain.doFilter(request, response);
        }
    }

    /**
     * Returns whether a page of another site, or of another port of this host, has sent the request. Browsers report
     * this even if they send no origin. A link from another site to this server's page does not count, because
     * following it is harmless.
     */
    private static boolean isOfAnotherSite(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        boolean isOther = "cross-site".equalsIgnoreCase(site) || "same-site".equalsIgnoreCase(site);
        boolean isLink = "navigate".equalsIgnoreCase(request.getHeader("Sec-Fetch-Mode"))
                && "document".equalsIgnoreCase(request.getHeader("Sec-Fetch-Dest"))
                && request.getMethod().equals("GET");
        return isOther && !isLink;
    }

    /** Returns the host of the request. Tomcat replaces a missing host with its own, and rejects an invalid one. */
    private static String host(HttpServletRequest request) {
        return request.getServerName().toLowerCase(Locale.ROOT);
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, String refused) throws IOException {
        Problems.write(
                json,
                request,
                response,
                ProblemDetail.forStatusAndDetail(
                        HttpStatus.FORBIDDEN,
                        "Without " + ServerProperties.TOKEN + " this server answers no request " + refused));
    }
}
