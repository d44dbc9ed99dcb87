// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.wire.Call;
import java.util.HashMap;
import java.util.Map;

/** Which handler answers which call. */
final class Handlers {
    private static final Map<Call<?, ?>, Handler<?, ?>> BY_CALL = new HashMap<>();

    static {
        put(Call.ATTACH, new SequencerHandlers.Attach());
        put(Call.DETACH, new SequencerHandlers.Detach());
        put(Call.EXTEND, new SequencerHandlers.Extend());
        put(Call.DESTROY, new SequencerHandlers.Destroy());
        put(Call.MERGE, new SequencerHandlers.Merge());
        put(Call.RESERVE, new IntegerHandlers.Reserve());
        put(Call.GIVE_BACK, new IntegerHandlers.GiveBack());
        put(Call.DESTROY_INTEGERS, new IntegerHandlers.Destroy());
        put(Call.MERGE_INTEGERS, new IntegerHandlers.Merge());
        put(Call.MAKE_CONTAINER, new MakeContainer());
    }

    private Handlers() {}

    private static <Q, A> void put(Call<Q, A> call, Handler<Q, A> handler) {
        BY_CALL.put(call, handler);
    }

    /** Returns the handler of a call to the owner of a partition. */
    @SuppressWarnings("unchecked") // put() takes no other.
    static <Q, A> Handler<Q, A> of(Call<Q, A> call) {
        Handler<?, ?> handler = BY_CALL.get(call);
        if (handler == null) {
            throw new IllegalArgumentException("no call to the owner of a partition: " + call);
        }
        return (Handler<Q, A>) handler;
    }

    /**
     * Gives a partition's owner and its backups a container, so that they know that nothing was there before; and lets it
     * begin after a start of the whole cluster: a wait that began with the first use of a name would come much too late.
     */
    private static final class MakeContainer implements Handler<Call.Nothing, Boolean> {
        @Override
        public int requiredBackups(Call.Nothing request, PartitionContainer container) {
            return 0;
        }

        @Override
        public boolean needsBeginning() {
            return false;
        }

        @Override
        public boolean grantsNothing() {
            return true;
        }

        @Override
        public boolean isForAllReplicas(Call.Nothing request) {
            return true;
        }

        @Override
        public Boolean handle(Call.Nothing request, Changes changes, PartitionOwner owner) {
            owner.beginIfKnown(changes.container());
            return !changes.container().isCold();
        }
    }
}
