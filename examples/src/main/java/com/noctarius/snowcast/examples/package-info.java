/** Runnable examples. */
@NullMarked
package com.noctarius.snowcast.examples;

import org.jspecify.annotations.NullMarked;
