/** Tests against clusters. */
@NullMarked
package com.noctarius.snowcast.tests;

import org.jspecify.annotations.NullMarked;
