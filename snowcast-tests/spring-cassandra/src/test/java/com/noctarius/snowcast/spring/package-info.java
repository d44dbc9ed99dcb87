/** Tests of what snowcast-spring tells of Cassandra stores. */
@NullMarked
package com.noctarius.snowcast.spring;

import org.jspecify.annotations.NullMarked;
