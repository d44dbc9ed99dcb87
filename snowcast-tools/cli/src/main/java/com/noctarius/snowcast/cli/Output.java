// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

enum Output {
    TABLE,
    /** One JSON object per line. */
    JSON
}
