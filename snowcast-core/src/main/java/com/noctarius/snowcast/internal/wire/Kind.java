// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import java.util.List;
import java.util.Locale;

/** What a name stands for in the cluster. A sequencer and an integer sequence may have the same name. */
public enum Kind {
    SEQUENCER,
    INTEGER_SEQUENCE;

    static final Form<Kind> FORM = Form.oneOf("kind", List.of(SEQUENCER, INTEGER_SEQUENCE));

    /** Returns it as users read it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
