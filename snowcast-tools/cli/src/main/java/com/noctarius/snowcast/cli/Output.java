// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

/** The output formats. */
enum Output {
    TABLE,
    /** One JSON object per line. */
    JSON
}
