// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Rejects parameters that the API does not have at the requested path, because they would have no effect. Also rejects
 * parameters that occur twice.
 */
@Component
final class KnownParameters implements HandlerInterceptor, WebMvcConfigurer {
    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method && isOfTheApi(method)) {
            check(request.getParameterMap(), parameters(method));
        }
        return true;
    }

    private static boolean isOfTheApi(HandlerMethod method) {
        Class<?> type = method.getBeanType();
        return type == IdController.class || type == StatusController.class;
    }

    private static List<String> parameters(HandlerMethod method) {
        return Arrays.stream(method.getMethodParameters())
                .filter(parameter -> parameter.hasParameterAnnotation(RequestParam.class))
                .map(MethodParameter::getParameter)
                .map(java.lang.reflect.Parameter::getName)
                .toList();
    }

    private static void check(Map<String, String[]> given, List<String> known) {
        given.forEach((name, values) -> {
            if (!known.contains(name)) {
                throw new WrongRequestException("There is no parameter " + name + " here"
                        + (known.isEmpty() ? "" : ", only " + String.join(", ", known)));
            }
            if (values.length > 1) {
                throw new WrongRequestException(name + " must be given once: " + String.join(", ", values));
            }
        });
    }
}
