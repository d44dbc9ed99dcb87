------------------------------- MODULE Grants -------------------------------
(***************************************************************************)
(* Which holder may issue which IDs: the rules by which one sequencer's    *)
(* node IDs are granted.  Each rule names the method that keeps it.*)
(*                                                                         *)
(* There is no time in here.  Whenever a rule looks at a clock, the clock  *)
(* shows any time from 0 to Latest: the clocks of holders and of the       *)
(* cluster lag, run ahead, jump and run back as they like.  Only the rule  *)
(* for a lost table assumes something of a clock; see ClusterTimes.        *)
(***************************************************************************)
EXTENDS Integers, Sequences, TLC

CONSTANTS
    Nodes,      \* node IDs
    Holders,    \* sequencer objects, on members and clients
    Members,    \* data members: one owns the table, the others back it up
    Latest,     \* the latest time that a clock shows
    Lease,      \* TableRules.leaseMillis
    Skew,       \* TableRules.maxSkewMillis
    Attaches, Ids, Destroys, Crashes, Losses,   \* how often something happens; Ids: of each holder
    LeftOut     \* names of rules that do not hold, to see which invariant needs them

VARIABLES
    holder,     \* what each holder knows
    issued,     \* the IDs that each holder has issued, in their order
    ended,      \* the grants that holders have sealed, up to what they used of them
    requests,   \* all that holders have asked for; a request that is never read is lost
    underWay,   \* changes that some backups have not heard of, with the answers that wait for them
    answers,    \* what holders may hear
    copy,       \* each member's copy of the table
    live,       \* the members of the cluster; another one keeps what it had, as one that was paused and removed
    owner,      \* the member that decides
    high, low,  \* the highest cluster time that an owner has seen; the lowest that one sees from now on
    left        \* what may still happen

vars == <<holder, issued, ended, requests, underWay, answers, copy, live, owner, high, low, left>>

Holds(rule) == rule \notin LeftOut
Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b
Times == 0..Latest

-----------------------------------------------------------------------------
(* The table.  A token is the fencing token of a grant. *)

NoToken == [epoch |-> 0, sequence |-> 0, holder |-> "nobody"]
Unused == [version |-> 0, token |-> NoToken, request |-> 0, floor |-> 0, ceiling |-> 0, attached |-> FALSE]
Empty == [epoch |-> 0, version |-> 0, incarnation |-> 0, alive |-> FALSE, recoverUntil |-> 0, floor |-> 0,
          nodes |-> [n \in Nodes |-> Unused]]

\* Where the next grant of a node ID may begin.                             NodeState.nextFloor
NextFloor(state) == IF state.attached THEN Max(state.floor, state.ceiling) ELSE state.floor

\* Where an incarnation ends: who has given nothing back counts as having used all. NodeTable.highestPossibleId
End(table) == LET ends == {table.floor} \cup {NextFloor(table.nodes[n]) : n \in Nodes}
              IN CHOOSE e \in ends : \A other \in ends : other <= e

\* A grant that is given back is free above what was used of it.            NodeState.released
UsedUpTo(grant, last) == Max(grant.floor, Min(last, grant.ceiling - 1) + 1)
Released(state, last, version) ==
    LET end == UsedUpTo(state, last)
    IN [state EXCEPT !.version = version, !.attached = FALSE, !.floor = end, !.ceiling = end]

\* What is told to the backups: the header, and the node IDs that an operation touched.   ReplicatedTable.change
Change(table, touched) ==
    [table EXCEPT !.nodes = [n \in touched |-> table.nodes[n]]]

\* A copy keeps the newer state of each node ID, in whatever order changes come.          ReplicatedTable.join
Join(mine, change) ==
    LET isNewer == change.version > mine.version \/ ~Holds("COPY_REPLACED")
        isFull == DOMAIN change.nodes = Nodes
        isNewerNode(n) == change.nodes[n].version > mine.nodes[n].version \/ ~Holds("COPY_REPLACED")
        joined == [n \in Nodes |-> IF n \in DOMAIN change.nodes /\ isNewerNode(n) THEN change.nodes[n]
                                   ELSE mine.nodes[n]]
    IN CASE change.incarnation # mine.incarnation -> IF isNewer /\ isFull THEN change ELSE mine
         [] OTHER -> [(IF isNewer THEN change ELSE mine) EXCEPT !.nodes = joined]

\* A copy that has missed the beginning of an incarnation does not acknowledge parts of it.  (NodeTable takes them, and starts
\* over as after a loss if it is promoted.)
CanJoin(mine, change) == change.incarnation <= mine.incarnation \/ DOMAIN change.nodes = Nodes

-----------------------------------------------------------------------------
(* Answers.  An answer means that all backups have the change. *)

None == [type |-> "none", holder |-> "nobody"]

\* Whether a holder takes an answer: the one to its last request, or to a renewal of the grant that it has.
Takes(state, answer) ==
    CASE answer.type = "grant" -> state.phase = "waits" /\ answer.request = state.request
      [] answer.type = "renewed" -> state.phase = "attached" /\ answer.token = state.token
                                     /\ answer.ceiling > state.ceiling
      [] OTHER -> FALSE

\* What nobody will take makes no difference.
Awaited(some) == {a \in some : a.holder \in Holders /\ Takes(holder[a.holder], a)}

\* A member answers when every backup has acknowledged.                     RequestOperation.getSyncBackupCount
Reply(member, table, touched, answer, needsBackup) ==
    LET backups == IF member = owner THEN live \ {member} ELSE {}
        isEarly == ~needsBackup \/ backups = {}
    IN /\ copy' = [copy EXCEPT ![member] = table]
       /\ underWay' = IF backups = {} THEN underWay
                      ELSE underWay \cup {[change |-> Change(table, touched), missing |-> backups,
                                           answer |-> IF isEarly THEN None ELSE answer]}
       /\ answers' = IF isEarly THEN answers \cup Awaited({answer}) ELSE answers

\* Only the owner of the partition acts, not one that was removed.   OwnerCheck.requireConfirmed
MayAct(member) == member = owner \/ (member \notin live /\ ~Holds("FORMER_OWNER_ACTS"))

\* What the cluster's clock shows an owner: anything, but after a loss nothing below what it showed before.
ClusterTimes == {t \in Times : t >= low}
See(t) == high' = IF left.losses > 0 THEN Max(high, t) ELSE high

-----------------------------------------------------------------------------
(* What the owner does. *)

\* NodeTable.attach.  A request that was answered is answered again, and told to the backups again.
AttachAgain(member, request) ==
    LET table == copy[member]
    IN \E n \in Nodes :
        LET state == table.nodes[n]
        IN /\ table.alive /\ state.attached
           /\ state.token.holder = request.holder /\ state.request = request.request
           /\ Reply(member, table, {n}, [type |-> "grant", holder |-> request.holder, request |-> request.request,
                                         node |-> n, token |-> state.token, floor |-> state.floor,
                                         ceiling |-> state.ceiling],
                    Holds("ANSWER_BEFORE_BACKUP") /\ Holds("KNOWN_REQUEST_NOT_BACKED_UP"))
           /\ UNCHANGED high

\* NodeTable.attach, AttachDecision.choose.  Whoever asks anew has sealed its former grant.  A node ID is granted that
\* is free, from where its last grant ended.  A destroyed incarnation is followed by one above it.
Attach(member, request) ==
    LET table == copy[member]
        version == table.version + 1
        mine == {n \in Nodes : table.nodes[n].token.holder = request.holder}
        last == IF Holds("FORMER_USE_FORGOTTEN") THEN request.last ELSE -1
        given == [table EXCEPT !.version = version,
                     !.nodes = [n \in Nodes |-> IF n \in mine /\ table.nodes[n].attached
                                                THEN Released(table.nodes[n], last, version) ELSE table.nodes[n]]]
        base == IF table.alive THEN given
                ELSE [given EXCEPT !.incarnation = @ + 1, !.alive = TRUE, !.nodes = [n \in Nodes |-> Unused],
                                   !.floor = IF Holds("TOMBSTONE_FORGOTTEN") THEN End(given) ELSE table.recoverUntil]
    IN /\ \A n \in mine : table.nodes[n].request < request.request
       /\ \E t \in ClusterTimes, h \in {request.clock}, n \in Nodes :
            LET state == base.nodes[n]
                token == [epoch |-> table.epoch, sequence |-> version, holder |-> request.holder]
                floor == IF Holds("FLOORS_DROPPED") THEN Max(base.floor, NextFloor(state)) ELSE base.floor
                ceiling == Max(floor, Min(h, t + Skew)) + Lease
                granted == [version |-> version, token |-> token, request |-> request.request,
                            floor |-> floor, ceiling |-> ceiling, attached |-> TRUE]
            IN /\ t >= table.recoverUntil                        \* NodeTable.checkWaitIsOver
               /\ h <= t + Skew                                  \* AttachDecision.checkClocks
               /\ \/ floor <= Min(t, h) + Skew                   \* AttachDecision.checkFloor
                  \/ ~Holds("FLOOR_FAR_AHEAD")
               /\ \/ ~state.attached                             \* AttachDecision.canBeGranted
                  \/ state.ceiling <= t \/ ~Holds("LEASE_IGNORED")
               /\ Reply(member, [base EXCEPT !.nodes[n] = granted],
                        IF table.alive THEN mine \cup {n} ELSE Nodes,
                        [type |-> "grant", holder |-> request.holder, request |-> request.request, node |-> n,
                         token |-> token, floor |-> floor, ceiling |-> ceiling],
                        Holds("ANSWER_BEFORE_BACKUP"))
               /\ See(t)

\* NodeTable.attach.  Whoever asks for the incarnation after a destroyed one has sealed its former grant, too.
\* But what was taken over after a loss may be the answer to this very request, which comes late.
ReleaseFormer(member, request) ==
    LET table == copy[member]
        version == table.version + 1
    IN \E n \in Nodes :
        LET state == table.nodes[n]
        IN /\ ~table.alive /\ state.attached /\ state.token.holder = request.holder
           /\ state.request < request.request
           /\ state.request > 0 \/ ~Holds("LATE_REQUEST_BELIEVED")
           /\ copy' = [copy EXCEPT ![member].version = version,
                                   ![member].nodes[n] = Released(state, request.last, version)]
           /\ UNCHANGED <<underWay, answers, high>>

\* NodeTable.renew.  Refused to whoever does not show the token of the grant, and for no clock.  A table that was lost
\* takes a grant over that can have had no successor.                       TableRules.mayHaveGranted
Renew(member, request) ==
    LET table == copy[member]
        state == table.nodes[request.node]
        version == table.version + 1
        isForeign == request.token.epoch # table.epoch
        isHolders == \/ state.attached /\ (\/ state.token = request.token
                                           \/ ~Holds("TOKEN_NOT_CHECKED")
                                           \/ ~Holds("EPOCH_NOT_CHECKED") /\ isForeign)
                     \/ ~Holds("LATE_RENEW_AFTER_DETACH") /\ state.version > 0 /\ ~state.attached
    IN \E t \in ClusterTimes, h \in Times :
        LET isAdopted == /\ state = Unused /\ (table.alive \/ table.incarnation = 0)
                         /\ t < table.recoverUntil /\ isForeign
                         /\ request.ceiling > t + Skew \/ ~Holds("FREE_ADOPTION")
            before == IF isAdopted THEN request.ceiling ELSE state.ceiling
            ceiling == Max(before, Min(h, t + Skew) + Lease)
            token == IF isAdopted \/ ~state.attached THEN request.token ELSE state.token
            renewed == [state EXCEPT !.version = version, !.token = token, !.ceiling = ceiling, !.attached = TRUE]
            after == IF ceiling = state.ceiling /\ ~isAdopted THEN table
                     ELSE [table EXCEPT !.version = version, !.nodes[request.node] = renewed,
                                        !.alive = TRUE, !.incarnation = Max(@, 1)]
            answer == [type |-> "renewed", holder |-> request.token.holder, token |-> request.token,
                       ceiling |-> ceiling]
        IN /\ (table.alive /\ isHolders) \/ isAdopted
           /\ Reply(member, after, IF isAdopted THEN Nodes ELSE {request.node}, answer, Holds("ANSWER_BEFORE_BACKUP"))
           /\ See(t)

\* NodeTable.detach.  Frees a node ID above the last timestamp used; with the token only.
Detach(member, request) ==
    LET table == copy[member]
        state == table.nodes[request.node]
        version == table.version + 1
    IN /\ state.attached /\ state.token = request.token
       /\ Reply(member, [table EXCEPT !.version = version,
                                      !.nodes[request.node] = Released(state, request.last, version)],
                {request.node}, None, FALSE)
       /\ UNCHANGED high

\* Handlers.attach, Handlers.renew, Handlers.detach.  A request is never used up: it comes
\* late, or twice, or never.
Decide ==
    /\ \E member \in Members, request \in requests :
        /\ MayAct(member)
        /\ \/ /\ request.type = "attach"
              /\ AttachAgain(member, request) \/ Attach(member, request) \/ ReleaseFormer(member, request)
           \/ request.type = "renew" /\ Renew(member, request)
           \/ request.type = "detach" /\ Detach(member, request)
    /\ UNCHANGED <<holder, issued, ended, requests, live, owner, low, left>>

\* NodeTable.destroy.  The node IDs stay known until the next incarnation begins, since holders still give them back.
Destroy ==
    LET table == copy[owner]
    IN /\ left.destroys > 0 /\ table.alive
       /\ Reply(owner, [table EXCEPT !.version = @ + 1, !.alive = FALSE], {}, None, TRUE)
       /\ left' = [left EXCEPT !.destroys = @ - 1]
       /\ UNCHANGED <<holder, issued, ended, requests, live, owner, high, low>>

-----------------------------------------------------------------------------
(* What becomes of the members. *)

\* Containers.join, PartitionContainer.join.
BackUp ==
    /\ \E op \in underWay : \E backup \in op.missing :
        LET missing == op.missing \ {backup}
        IN /\ CanJoin(copy[backup], op.change)
           /\ copy' = [copy EXCEPT ![backup] = Join(@, op.change)]
           /\ underWay' = (underWay \ {op}) \cup (IF missing = {} THEN {} ELSE {[op EXCEPT !.missing = missing]})
           /\ answers' = IF missing = {} THEN answers \cup Awaited({op.answer}) ELSE answers
    /\ UNCHANGED <<holder, issued, ended, requests, live, owner, high, low, left>>

\* What these members have not heard they will not hear, and nobody gets the answer.
Without(gone) ==
    LET rest(op) == [op EXCEPT !.missing = @ \ gone, !.answer = IF op.missing \cap gone = {} THEN @ ELSE None]
    IN {op \in {rest(each) : each \in underWay} : op.missing # {}}

\* ReplicatedTable.becomeOwner, Lifecycle.ofNewOwner.  A backup goes on, with numbers far above those that it knows: what the
\* last owner told the other backups only never outweighs what this one decides.
OwnerCrashes ==
    /\ left.crashes > 0
    /\ \E next \in live \ {owner} :
        /\ owner' = next
        /\ live' = live \ {owner}
        /\ copy' = [copy EXCEPT ![next].version = IF Holds("CHANGES_NOT_ABOVE") THEN @ + 100 ELSE @]
        /\ underWay' = Without({owner, next})
    /\ left' = [left EXCEPT !.crashes = @ - 1]
    /\ UNCHANGED <<holder, issued, ended, requests, answers, high, low>>

\* Containers.requireBackups.  An answer that waits for a backup that is gone is not given.
BackupCrashes ==
    /\ left.crashes > 0
    /\ \E backup \in live \ {owner} :
        /\ live' = live \ {backup}
        /\ underWay' = Without({backup})
    /\ left' = [left EXCEPT !.crashes = @ - 1]
    /\ UNCHANGED <<holder, issued, ended, requests, answers, copy, owner, high, low>>

\* ReplicatedTable.snapshotFor.  A new backup gets all that the owner has.
BackupJoins ==
    /\ \E backup \in Members \ live :
        /\ live' = live \cup {backup}
        /\ copy' = [copy EXCEPT ![backup] = copy[owner]]
    /\ UNCHANGED <<holder, issued, ended, requests, underWay, answers, owner, high, low, left>>

\* Containers.ownedOrMade, Containers.discardIfOutdated, NodeTable.startOver.  All copies are lost.  Whoever goes on knows no node ID,
\* and grants none before all grants that it may have forgotten have ended, nor below that time.  The clock of the
\* cluster must not show less than before.
Lose ==
    /\ left.losses > 0
    /\ low' = Max(low, high)
    /\ \E next \in Members, t \in {t \in Times : t >= low'} :
        LET until == IF Holds("SKEW_NOT_COUNTED") THEN t + Lease + 2 * Skew ELSE t + Lease
            lost == [Empty EXCEPT !.epoch = copy[owner].epoch + 1, !.recoverUntil = until, !.floor = until]
            table == CASE ~Holds("LOSS_NOT_NOTICED") -> [Empty EXCEPT !.epoch = copy[owner].epoch + 1]
                       [] ~Holds("FORMER_OWNER_KEEPS_DATA") /\ next \notin live -> copy[next]
                       [] OTHER -> lost
        IN /\ owner' = next
           /\ copy' = [m \in Members |-> table]
    /\ live' = Members
    /\ underWay' = {}
    /\ left' = [left EXCEPT !.losses = @ - 1]
    /\ UNCHANGED <<holder, issued, ended, requests, answers, high>>

-----------------------------------------------------------------------------
(* What a holder does.  One that does nothing for long is paused; one that never does anything again has crashed. *)

\* GrantHolder.use.
Becomes(h, state) ==
    /\ holder' = [holder EXCEPT ![h] = state]
    /\ answers' = {a \in answers : a.holder # h \/ Takes(state, a)}

\* What a holder asks for while it has a grant; it may ask at any time.     GrantRequests.renew
RenewRequest(state) == [type |-> "renew", node |-> state.node, token |-> state.token, ceiling |-> state.ceiling]

\* GrantHolder.attach.  It has sealed all it had, and gives up the request before.
Ask(h) ==
    LET state == holder[h]
        request == state.request + 1
    IN /\ left.attaches > 0 /\ state.phase # "attached"
       /\ Becomes(h, [state EXCEPT !.phase = "waits", !.request = request])
       /\ \E clock \in Times :
            requests' = requests \cup {[type |-> "attach", holder |-> h, request |-> request, last |-> state.last,
                                        clock |-> clock]}
       /\ left' = [left EXCEPT !.attaches = @ - 1]
       /\ UNCHANGED <<issued, ended>>

\* GrantRequests.attach.  The new attachment begins above all that the holder has issued.
HearGrant(h, answer) ==
    LET state == [holder[h] EXCEPT !.phase = "attached", !.node = answer.node, !.token = answer.token,
                                   !.floor = answer.floor, !.ceiling = answer.ceiling]
    IN /\ answer.type = "grant"
       /\ Becomes(h, state)
       /\ requests' = requests \cup {RenewRequest(state)}
       /\ UNCHANGED <<issued, ended, left>>

\* GrantInUse.renew, LeaseRenewals.renewed.
HearRenewal(h, answer) ==
    LET state == [holder[h] EXCEPT !.ceiling = answer.ceiling]
    IN /\ answer.type = "renewed"
       /\ Becomes(h, state)
       /\ requests' = requests \cup {RenewRequest(state)}
       /\ UNCHANGED <<issued, ended, left>>

\* GrantInUse.seal, GrantRequests.seal.  At will, or since a renewal was refused: nothing is issued any more.
Seal(h) ==
    LET state == holder[h]
        grant == [node |-> state.node, token |-> state.token, floor |-> state.floor,
                  ceiling |-> UsedUpTo(state, state.last)]
    IN /\ state.phase = "attached"
       /\ ended' = ended \cup {grant}
       /\ requests' = requests \cup {[type |-> "detach", node |-> state.node, token |-> state.token,
                                      last |-> state.last]}
       /\ Becomes(h, IF Holds("SEAL_SKIPPED") THEN [state EXCEPT !.phase = "detached", !.token = NoToken] ELSE state)
       /\ UNCHANGED <<issued, left>>

\* Attachment.next.  A slot above the last one, in the grant, whatever the clock shows.
Issue(h) ==
    LET state == holder[h]
    IN /\ state.phase = "attached" /\ Len(issued[h]) < Ids
       /\ \E slot \in Times :
            /\ slot > state.last \/ ~Holds("WORD_SET_BACK")       \* Attachment.moveWord
            /\ slot >= state.floor \/ ~Holds("FLOOR_IGNORED")     \* Attachment.admitMoveTo
            /\ slot < state.ceiling \/ ~Holds("CEILING_IGNORED")  \* GrantInUse.awaitCeiling
            /\ issued' = [issued EXCEPT ![h] = Append(@, [node |-> state.node, token |-> state.token, slot |-> slot])]
            /\ holder' = [holder EXCEPT ![h].last = slot]
       /\ UNCHANGED <<ended, requests, answers, left>>

Hold ==
    /\ \E h \in Holders :
        \/ Ask(h) \/ Seal(h) \/ Issue(h)
        \/ \E answer \in answers :
            answer.holder = h /\ (HearGrant(h, answer) \/ HearRenewal(h, answer))
    /\ UNCHANGED <<underWay, copy, live, owner, high, low>>

-----------------------------------------------------------------------------
Init ==
    /\ holder = [h \in Holders |-> [phase |-> "detached", request |-> 0, last |-> -1, node |-> "none",
                                    token |-> NoToken, floor |-> 0, ceiling |-> 0]]
    /\ issued = [h \in Holders |-> <<>>]
    /\ ended = {} /\ requests = {} /\ underWay = {} /\ answers = {}
    /\ copy = [m \in Members |-> Empty]
    /\ live = Members /\ owner \in Members
    /\ high = 0 /\ low = 0
    /\ left = [attaches |-> Attaches, destroys |-> Destroys, crashes |-> Crashes, losses |-> Losses]

Next == Decide \/ Destroy \/ BackUp \/ OwnerCrashes \/ BackupCrashes \/ BackupJoins \/ Lose \/ Hold

Spec == Init /\ [][Next]_vars

Symmetry == Permutations(Holders) \cup Permutations(Nodes) \cup Permutations(Members)

-----------------------------------------------------------------------------
(* The invariants of design.md, and what follows from them. *)

\* Of each grant that a holder has or had what it may use, or has used.
Grants == ended \cup {[node |-> holder[h].node, token |-> holder[h].token, floor |-> holder[h].floor,
                       ceiling |-> holder[h].ceiling] : h \in {h \in Holders : holder[h].phase = "attached"}}

\* 1. Two grants of one node ID never share a millisecond of ID time.
GrantsAreDisjoint ==
    \A one, other \in Grants :
        one.node = other.node /\ one.token # other.token
            => Max(one.floor, other.floor) >= Min(one.ceiling, other.ceiling)

\* 2. A holder issues no ID outside its grant.
HolderStaysInGrant ==
    \A h \in Holders : \A i \in DOMAIN issued[h] :
        \E grant \in Grants : /\ grant.node = issued[h][i].node /\ grant.token = issued[h][i].token
                              /\ grant.floor <= issued[h][i].slot /\ issued[h][i].slot < grant.ceiling

\* 3. Slots, which are (timestamp, counter), strictly increase: within a grant, and from one of a holder's to the next.
SlotsIncrease ==
    \A h \in Holders : \A i \in 2..Len(issued[h]) : issued[h][i - 1].slot < issued[h][i].slot

\* Hence no ID comes twice, in all incarnations of a sequencer.
NoIdTwice ==
    \A one, other \in Holders : \A i \in DOMAIN issued[one], j \in DOMAIN issued[other] :
        issued[one][i].node = issued[other][j].node /\ issued[one][i].slot = issued[other][j].slot
            => one = other /\ i = j
=============================================================================
