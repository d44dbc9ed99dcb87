// SPDX-License-Identifier: Apache-2.0
/** IDs and integers over HTTP, and a page that shows the cluster: an application, not a library. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.server;
