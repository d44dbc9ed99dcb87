// SPDX-License-Identifier: Apache-2.0
/** A server for IDs and integers over HTTP, with a page that shows the cluster: an application, not a library. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.server;
