// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.spring.Slices.DataJdbcTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

/** Tests snowcast in Spring Boot's test slice for Spring Data JDBC. */
@Tag("integration")
@DataJdbcTest
class ParcelRepositoryTest {
    private final ParcelRepository parcels;

    ParcelRepositoryTest(@Autowired ParcelRepository parcels) {
        this.parcels = parcels;
    }

    @Test
    void aParcelGetsItsId() {
        assertThat(parcels.save(new Parcel(0, "Oslo")).id()).isPositive();
    }

    @Test
    void noMemberIsStarted(@Autowired ApplicationContext context) {
        assertThat(context.getBeanNamesForType(HazelcastInstance.class)).isEmpty();
    }
}
