// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.micronaut;

import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.CrudRepository;

/** Entities with annotations that have no effect. */
final class Ignored {
    private Ignored() {}

    @MappedEntity
    record Stamp(@Id @SnowcastSequence("invoices") @Nullable Long id, int cents) {}

    @MappedEntity
    record Parcel(@Id String id, @SnowcastId("orders") long number) {}

    @JdbcRepository(dialect = Dialect.H2)
    @Requires(property = "ignored.annotations")
    interface Stamps extends CrudRepository<Stamp, Long> {}

    @JdbcRepository(dialect = Dialect.H2)
    @Requires(property = "ignored.annotations")
    interface Parcels extends CrudRepository<Parcel, String> {}
}
