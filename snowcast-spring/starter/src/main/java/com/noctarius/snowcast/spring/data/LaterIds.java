// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import reactor.core.publisher.Mono;

/** The shared code of the reactive callbacks. A separate class, because the other callbacks work without Reactor. */
final class LaterIds {
    private LaterIds() {}

    /** Returns a publisher that sets the entity's ID, if it has none, on subscription. Never blocks the subscriber. */
    static Mono<Object> fill(NewIds ids, Object entity) {
        return Mono.defer(() -> {
            NewIds.Vacancy vacancy = ids.vacancy(entity);
            return vacancy == null
                    ? Mono.just(entity)
                    : Mono.fromFuture(vacancy.nextAsync()).map(vacancy::fill);
        });
    }
}
