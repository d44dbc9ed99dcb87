// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.micronaut;

import com.noctarius.snowcast.persistence.SnowcastId;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import org.jspecify.annotations.Nullable;

@MappedEntity
record Purchase(@Id @SnowcastId("orders") @Nullable Long id, String article) {}
