// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import jakarta.servlet.DispatcherType;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import tools.jackson.databind.json.JsonMapper;

/**
 * The access rules. If a token is configured, requests must have it, except requests for the page's files, the API
 * description and the health of the server, which contain no data of the cluster. Without a token, only programs on
 * this machine have access, to anything.
 */
@Configuration(proxyBeanMethods = false)
class Security {
    /**
     * Allows scripts and styles only from this site, and pictures only from this site or inline. No site may frame the
     * page.
     */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final String[] PUBLIC = {
        "/", "/index.html", "/favicon.svg", "/page/**", "/webjars/uplot/**", "/openapi.yaml"
    };

    @Bean
    SecurityFilterChain snowcastServerSecurity(HttpSecurity http, ServerProperties properties, JsonMapper json) {
        http.csrf(AbstractHttpConfigurer::disable) // The server uses no cookie that another site could abuse.
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .headers(headers -> headers.contentSecurityPolicy(
                                policy -> policy.policyDirectives(CONTENT_SECURITY_POLICY))
                        .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.NO_REFERRER)))
                .exceptionHandling(failures -> failures.authenticationEntryPoint((request, response, e) -> {
                    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"snowcast\"");
                    Problems.write(
                            json,
                            request,
                            response,
                            ProblemDetail.forStatusAndDetail(
                                    HttpStatus.UNAUTHORIZED,
                                    "The request must have the header Authorization: Bearer and the token of this"
                                            + " server"));
                }))
                .addFilterAfter(new NoBodyFilter(json), AuthorizationFilter.class);
        if (properties.token() == null) {
            http.addFilterBefore(new SameMachineFilter(json), AuthorizationFilter.class)
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll());
        } else {
            http.addFilterBefore(new TokenFilter(properties.token()), AnonymousAuthenticationFilter.class)
                    .authorizeHttpRequests(requests -> requests
                            // These are the end of an allowed stream, and the error response to a rejected request.
                            .dispatcherTypeMatchers(DispatcherType.ASYNC, DispatcherType.ERROR)
                            .permitAll()
                            .requestMatchers(PUBLIC)
                            .permitAll()
                            .requestMatchers(EndpointRequest.to(HealthEndpoint.class))
                            .permitAll()
                            .anyRequest()
                            .authenticated());
        }
        return http.build();
    }
}
