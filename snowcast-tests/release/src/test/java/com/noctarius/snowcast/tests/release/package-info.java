// SPDX-License-Identifier: Apache-2.0
/** Tests the files of a release. */
@NullMarked
package com.noctarius.snowcast.tests.release;

import org.jspecify.annotations.NullMarked;
