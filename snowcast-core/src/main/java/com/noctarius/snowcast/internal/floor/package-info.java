// SPDX-License-Identifier: Apache-2.0
/** The durable floor: a mark on disk above which a cluster that was started anew may grant. JDK only. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.floor;
