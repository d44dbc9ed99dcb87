// SPDX-License-Identifier: Apache-2.0
/** What the modules for Quarkus and Micronaut have in common; each has it in its own jar. No API. */
@NullMarked
package com.noctarius.snowcast.internal.frameworks;

import org.jspecify.annotations.NullMarked;
