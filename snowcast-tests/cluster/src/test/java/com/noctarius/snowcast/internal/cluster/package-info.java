/** Gives tests access to the internals of a member. */
@NullMarked
package com.noctarius.snowcast.internal.cluster;

import org.jspecify.annotations.NullMarked;
