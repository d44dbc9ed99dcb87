// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import reactor.core.publisher.Mono;

/** The common part of the reactive callbacks. A separate class, because the other callbacks work without Reactor. */
final class LaterIds {
    private LaterIds() {}

    /** Sets the ID of an entity that has none when a subscriber subscribes. Never blocks the thread of a subscriber. */
    static Mono<Object> fill(NewIds ids, Object entity) {
        return Mono.defer(() -> {
            NewIds.Vacancy vacancy = ids.vacancy(entity);
            return vacancy == null
                    ? Mono.just(entity)
                    : Mono.fromFuture(vacancy.nextAsync()).map(vacancy::fill);
        });
    }
}
