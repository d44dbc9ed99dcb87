// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableHeader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

sealed interface Message {
    /** Returns the index of the holder that has sent the request and receives the answer. */
    int holder();

    void describe(Fingerprint to);

    record Request(int holder, Call call) implements Message {
        @Override
        public void describe(Fingerprint to) {
            to.number(1);
            to.holder(holder);
            call.describe(to);
        }

        @Override
        public String toString() {
            return call + " of holder " + holder;
        }
    }

    /**
     * An operation that the owner has executed. Its change is on the way to the backups; when all have it, the reply is
     * on the way to the holder.
     *
     * @param reply a {@link Grant}, a {@link RenewReply}, or null if no holder will receive a reply
     * @param change the change for the backups; null if all have it or need not have it
     * @param recoveringUntil the end of the owner's wait after a loss, sent with the change
     * @param missing a bit for each replica that has not received the change
     */
    record Done(
            int holder,
            Call call,
            @Nullable Object reply,
            @Nullable Snapshot change,
            long recoveringUntil,
            int missing) implements Message {
        @Override
        public void describe(Fingerprint to) {
            to.number(2);
            if (reply instanceof Grant grant && call instanceof Call.Attach attach) {
                to.holder(holder);
                to.number(attach.request().requestNumber());
                to.number(grant.incarnation());
                to.number(grant.logicalNodeId());
                to.token(grant.token());
                to.number(grant.floor());
                to.number(grant.ceiling());
            } else if (reply instanceof RenewReply renewed && call instanceof Call.Renew renew) {
                to.holder(holder);
                to.token(renew.request().token());
                to.name(renewed.outcome());
                to.number(renewed.ceiling());
            }
            to.flag(change != null);
            if (change != null) {
                describe(change, to);
                to.number(recoveringUntil);
            }
        }

        static void describe(Snapshot change, Fingerprint to) {
            to.name(change.kind());
            TableHeader header = change.header();
            FrozenTable.describe(header.lifecycle(), to);
            to.number(header.highestOfDestroyed());
            to.number(header.tableId());
            to.number(header.waitEndMillis());
            to.number(header.usedUpTo());
            to.number(change.mergedMillis());
            to.number(change.partedMillis());
            to.unordered(change.entries(), state -> FrozenTable.describe(state, to));
        }

        @Override
        public String toString() {
            return (isAcknowledged() ? "the answer to " : "the backup of ") + call + " of holder " + holder;
        }

        boolean isAcknowledged() {
            return change == null;
        }

        boolean isAwaitedFrom(int replica) {
            return (missing & 1 << replica) != 0;
        }

        Done acknowledged() {
            return new Done(holder, call, reply, null, 0, 0);
        }

        Done unanswered() {
            return new Done(holder, call, null, change, recoveringUntil, missing);
        }

        Done without(int replicas) {
            return new Done(holder, call, reply, change, recoveringUntil, missing & ~replicas);
        }
    }

    sealed interface Call {
        void describe(Fingerprint to);

        record Attach(AttachRequest request) implements Call {
            @Override
            public void describe(Fingerprint to) {
                to.number(1);
                to.number(request.incarnation());
                to.holder(request.holder());
                to.number(request.requestNumber());
                to.number(request.holderNowMillis());
            }

            @Override
            public String toString() {
                return "attach #" + request.requestNumber();
            }
        }

        record Renew(RenewRequest request) implements Call {
            @Override
            public void describe(Fingerprint to) {
                to.number(2);
                to.number(request.incarnation());
                to.number(request.logicalNodeId());
                to.token(request.token());
                to.holder(request.holder());
                to.number(request.ceiling());
                to.number(request.holderNow());
            }

            @Override
            public String toString() {
                return "renew node " + request.logicalNodeId();
            }
        }

        record Detach(DetachRequest request) implements Call {
            @Override
            public void describe(Fingerprint to) {
                to.number(3);
                to.number(request.logicalNodeId());
                to.token(request.token());
                to.number(request.lastIdTime());
            }

            @Override
            public String toString() {
                return "detach node " + request.logicalNodeId();
            }
        }
    }

    static String text(@Nullable Object reply) {
        if (reply instanceof Grant grant) {
            return "node " + grant.logicalNodeId() + " from " + State.tick(grant.floor()) + " to before "
                    + State.tick(grant.ceiling());
        }
        if (reply instanceof RenewReply renewed) {
            return renewed.outcome() == RenewReply.Outcome.RENEWED
                    ? "renewed to before " + State.tick(renewed.ceiling())
                    : renewed.outcome().toString();
        }
        return "done";
    }

    static List<Message> without(List<Message> messages, int index) {
        List<Message> rest = new ArrayList<>(messages);
        rest.remove(index);
        return List.copyOf(rest);
    }

    static List<Message> with(List<Message> messages, Message message) {
        List<Message> more = new ArrayList<>(messages);
        more.add(message);
        return List.copyOf(more);
    }
}
