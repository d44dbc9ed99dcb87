/** Spring beans and Spring Boot auto-configuration. */
@NullMarked
package com.noctarius.snowcast.spring;

import org.jspecify.annotations.NullMarked;
