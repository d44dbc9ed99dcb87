// SPDX-License-Identifier: Apache-2.0
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.cli;
