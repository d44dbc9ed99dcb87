// SPDX-License-Identifier: Apache-2.0
/** What the SQL store shares with snowcast's other modules. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.jdbc;
