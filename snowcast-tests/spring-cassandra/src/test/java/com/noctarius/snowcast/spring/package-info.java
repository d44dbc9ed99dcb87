/** Tests of the meters that snowcast-spring provides for Cassandra stores. */
@NullMarked
package com.noctarius.snowcast.spring;

import org.jspecify.annotations.NullMarked;
