// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import com.noctarius.snowcast.jackson.JsonSnowcastId;

record OrderView(@JsonSnowcastId long id, String city) {}
