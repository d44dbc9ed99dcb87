// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.Form.NAME;
import static com.noctarius.snowcast.internal.wire.Form.NUMBER;
import static com.noctarius.snowcast.internal.wire.RecordForm.field;
import static com.noctarius.snowcast.internal.wire.SequencerForms.INCARNATION;

import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot.ContainerState;
import com.noctarius.snowcast.internal.owner.Lifecycle;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableHeader;
import java.util.List;

/** The wire formats of the data that replicas receive. */
public final class ReplicaForms {
    private static final Form<Long> MOMENT = Form.number("millis", 0, Long.MAX_VALUE);

    private static final Form<ContainerState> STATE =
            RecordForm.of(ContainerState.class, field("waitEndMillis", MOMENT), field("lostSinceMillis", MOMENT));

    private static final Form<Lifecycle> LIFECYCLE = RecordForm.of(
            Lifecycle.class,
            field("name", NAME),
            field("definition", SequencerForms.DEFINITION.nullable()),
            field("incarnation", INCARNATION),
            field("destroyedUpTo", INCARNATION),
            field("changeNumber", NUMBER));

    private static final Form<TableHeader> HEADER = RecordForm.of(
            TableHeader.class,
            field("lifecycle", LIFECYCLE),
            field("tableId", NUMBER),
            field("waitEndMillis", NUMBER),
            field("highestOfDestroyed", NUMBER),
            field("usedUpTo", NUMBER));

    public static final Form<Snapshot> TABLE = RecordForm.of(
            Snapshot.class,
            field("kind", Form.oneOf("kind", List.of(Snapshot.Kind.values()))),
            field("header", HEADER),
            field("mergedMillis", NUMBER),
            field("partedMillis", NUMBER),
            field("entries", SequencerForms.NODE_STATE.list(NodeLeaseConfig.MAX_NODE_COUNT)));

    /** The wire format of a partition's container, or of changes in it. */
    public static final Form<ContainerSnapshot> CONTAINER = RecordForm.of(
            ContainerSnapshot.class,
            field("state", STATE),
            field("nameCount", Form.integer("nameCount", 0, Integer.MAX_VALUE)),
            field("tables", TABLE.list()));

    static final Form<ContainerSnapshot.Losing> LOSING = RecordForm.of(
            ContainerSnapshot.Losing.class, field("apartSinceMillis", MOMENT), field("container", CONTAINER));

    private ReplicaForms() {}
}
