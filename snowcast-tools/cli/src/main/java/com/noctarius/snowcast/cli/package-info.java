// SPDX-License-Identifier: Apache-2.0
/** The command line {@code snowcast}, which is an application, not a library. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.cli;
