/** The contract of every {@code Snowcast} as a test suite, and helpers of the tests of several modules. */
@NullMarked
package com.noctarius.snowcast.tests;

import org.jspecify.annotations.NullMarked;
