// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import reactor.core.publisher.Mono;

/** What the reactive callbacks have in common; apart from those that have to do without Reactor. */
final class LaterIds {
    private LaterIds() {}

    /** Sets the ID of an entity that has none, again for each subscriber, whose thread is never blocked. */
    static Mono<Object> fill(NewIds ids, Object entity) {
        return Mono.defer(() -> {
            NewIds.Vacancy vacancy = ids.vacancy(entity);
            return vacancy == null
                    ? Mono.just(entity)
                    : Mono.fromFuture(vacancy.nextAsync()).map(vacancy::fill);
        });
    }
}
