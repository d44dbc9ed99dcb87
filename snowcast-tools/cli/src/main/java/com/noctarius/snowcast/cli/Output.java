// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

/** How results are written. */
enum Output {
    TABLE,
    /** One object a line. */
    JSON
}
