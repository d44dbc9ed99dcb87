/** Tests against clusters, and what tests of other modules need for waiting. */
@NullMarked
package com.noctarius.snowcast.tests;

import org.jspecify.annotations.NullMarked;
