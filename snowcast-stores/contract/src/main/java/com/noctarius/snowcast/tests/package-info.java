/** A test suite for the contract of {@code Snowcast}, and helpers for the tests of several modules. */
@NullMarked
package com.noctarius.snowcast.tests;

import org.jspecify.annotations.NullMarked;
