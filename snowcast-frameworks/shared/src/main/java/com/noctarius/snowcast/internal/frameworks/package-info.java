// SPDX-License-Identifier: Apache-2.0
/** The common code of the modules for Quarkus and Micronaut, whose jars each contain a copy. Not an API. */
@NullMarked
package com.noctarius.snowcast.internal.frameworks;

import org.jspecify.annotations.NullMarked;
