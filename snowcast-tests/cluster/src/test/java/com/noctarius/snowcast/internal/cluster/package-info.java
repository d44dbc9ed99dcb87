/** What tests need to see of the member side. */
@NullMarked
package com.noctarius.snowcast.internal.cluster;

import org.jspecify.annotations.NullMarked;
