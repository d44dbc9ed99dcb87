// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastUnavailableException;
import java.sql.SQLException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

class ProblemsTest {
    @Test
    void whatADriverSaysIsForTheLog() {
        String ofDriver = "ERROR: permission denied for table snowcast_names";
        ResponseEntity<ProblemDetail> answer = new Problems()
                .unavailable(new SnowcastUnavailableException(
                        "sequencer orders: the database cannot be reached or refuses: " + ofDriver,
                        new SQLException(ofDriver)));
        assertThat(answer.getStatusCode().value()).isEqualTo(503);
        assertThat(Objects.requireNonNull(answer.getBody()).getDetail())
                .doesNotContain("snowcast_names")
                .contains("the log of the server says why");
    }
}
