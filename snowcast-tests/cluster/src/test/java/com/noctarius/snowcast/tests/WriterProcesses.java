// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Processes that write IDs of one sequencer, the living and the dead. */
final class WriterProcesses implements AutoCloseable {
    private final String clusterName;
    private final String sequencer;
    private final SnowcastLayout layout;
    private final Path directory;
    private final List<String> flags;
    private final Ledger ledger;
    private final List<WriterProcess> living = new ArrayList<>();
    private final List<WriterProcess> dead = new ArrayList<>();
    private boolean isUnprotected;

    /**
     * Begins with none.
     *
     * @param directory an empty one, for what they write
     * @param properties of Hazelcast and snowcast, as flags of the JVMs
     * @param ledger of the holders of the same cluster in this JVM
     */
    WriterProcesses(
            String clusterName,
            String sequencer,
            SnowcastLayout layout,
            Path directory,
            List<String> properties,
            Ledger ledger) {
        this.clusterName = clusterName;
        this.sequencer = sequencer;
        this.layout = layout;
        this.directory = directory;
        this.flags = properties;
        this.ledger = ledger;
    }

    /** Allows what merges report: for splits without protection. */
    void allowReported() {
        isUnprotected = true;
    }

    /** From here on nothing repeats: all have merged, and what they had in hand is used up. */
    void settle() {
        all().forEach(WriterProcess::settle);
    }

    /** Starts a member of the cluster of the present ones. */
    WriterProcess addMember() throws IOException {
        return addMember(0);
    }

    /** Starts a member on a machine whose wall clock is off: that of Hazelcast, and that of snowcast. */
    WriterProcess addMember(long clockOffsetMillis) throws IOException {
        return add(IdWriter.Role.MEMBER, addresses(), clockOffsetMillis);
    }

    /** Starts a member that owns no partitions. */
    WriterProcess addLiteMember(int peer) throws IOException {
        return add(IdWriter.Role.LITE_MEMBER, List.of(TcpCluster.LOOPBACK + ':' + peer), 0);
    }

    /** Starts a member of the cluster of the present ones that owns no partitions. */
    WriterProcess addLiteMember() throws IOException {
        return add(IdWriter.Role.LITE_MEMBER, addresses(), 0);
    }

    /** Starts a member of the cluster of the present ones that generates nothing. */
    WriterProcess addServer() throws IOException {
        return add(IdWriter.Role.SERVER, addresses(), 0);
    }

    /** Starts a client. */
    WriterProcess addClient() throws IOException {
        return addClient(0);
    }

    /** Starts a client on a machine whose wall clock is off. */
    WriterProcess addClient(long clockOffsetMillis) throws IOException {
        return add(IdWriter.Role.CLIENT, addresses(), clockOffsetMillis);
    }

    /** Returns where the members are. */
    private List<String> addresses() {
        return members().map(process -> process.task().address()).toList();
    }

    private Stream<WriterProcess> members() {
        return living.stream().filter(process -> process.task().role() != IdWriter.Role.CLIENT);
    }

    private WriterProcess add(IdWriter.Role role, List<String> peers, long clockOffsetMillis) throws IOException {
        return add(List.of(), role, TcpCluster.LOOPBACK, TcpCluster.freePort(), peers, clockOffsetMillis);
    }

    /**
     * Starts a member or client on another network.
     *
     * @param wrapper the command that enters the network, and becomes the process
     * @param peers addresses of all members, with their ports
     */
    WriterProcess addAt(List<String> wrapper, IdWriter.Role role, String host, int port, List<String> peers)
            throws IOException {
        return add(wrapper, role, host, port, peers, 0);
    }

    private WriterProcess add(
            List<String> wrapper, IdWriter.Role role, String host, int port, List<String> peers, long clockOffsetMillis)
            throws IOException {
        int number = living.size() + dead.size();
        IdWriter.Task task = new IdWriter.Task(
                clusterName,
                role,
                host,
                port,
                peers,
                sequencer,
                layout,
                clockOffsetMillis,
                directory.resolve("ids-" + number));
        List<String> allFlags = new ArrayList<>(flags);
        allFlags.add("-Dcom.hazelcast.clock.offset=" + clockOffsetMillis);
        WriterProcess started = WriterProcess.start(wrapper, task, allFlags);
        living.add(started);
        return started;
    }

    /** Returns the living and the dead. */
    List<WriterProcess> all() {
        return Stream.concat(living.stream(), dead.stream()).toList();
    }

    /** Waits until one of the members says that it owns the partition of the name. */
    WriterProcess awaitOwner() {
        Await.until("an owner", () -> owners().findAny().isPresent());
        return owners().findAny().orElseThrow();
    }

    private Stream<WriterProcess> owners() {
        String line = IdWriter.ownerLine(true);
        return members()
                .filter(process ->
                        process.last(IdWriter.OWNER).filter(line::equals).isPresent());
    }

    List<WriterProcess> living() {
        return living;
    }

    /** Returns the member that has a replica of the name's partition, the owner's being 0. */
    WriterProcess awaitReplica(int index) {
        String line = IdWriter.REPLICA + index;
        Await.until(line, () -> members().anyMatch(process -> isLast(process, line)));
        return members().filter(process -> isLast(process, line)).findAny().orElseThrow();
    }

    private static boolean isLast(WriterProcess process, String line) {
        return process.last(IdWriter.REPLICA).filter(line::equals).isPresent();
    }

    /** Stops processes in order, by SIGTERM, all at once; returns how long that took. */
    Duration stopInOrder(List<WriterProcess> processes) throws InterruptedException {
        long start = System.nanoTime();
        processes.forEach(WriterProcess::terminate);
        for (WriterProcess process : processes) {
            process.awaitEnd();
        }
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        processes.forEach(this::kill);
        return taken;
    }

    /** Returns the longest wait of a call of any process so far, also of the dead. */
    Duration longestWait() {
        return Stream.concat(living.stream(), dead.stream())
                .map(WriterProcess::longestWait)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    void kill(WriterProcess process) {
        process.close();
        living.remove(process);
        dead.add(process);
    }

    /** Waits until all members see each other and every partition has its backup. */
    void awaitSafe() {
        String line = IdWriter.clusterLine((int) members().count(), true);
        members().forEach(process -> process.awaitLast(IdWriter.CLUSTER, line));
    }

    /** Returns whether all members see each other and every partition has its backup. */
    boolean areSafe() {
        String line = IdWriter.clusterLine((int) members().count(), true);
        return members()
                .allMatch(process ->
                        process.last(IdWriter.CLUSTER).filter(line::equals).isPresent());
    }

    /** Waits until each of the living has generated that many IDs more. */
    void awaitMore(int count) {
        awaitMore(count, List.of());
    }

    /** Waits until each of the living has generated that many IDs more, except for some. */
    void awaitMore(int count, List<WriterProcess> exceptFor) {
        living.stream()
                .filter(process -> process.task().role() != IdWriter.Role.SERVER && !exceptFor.contains(process))
                .forEach(process -> process.awaitMore(count));
    }

    /**
     * Kills the living; fails if what all of them wrote is not what it must be. Returns the number of IDs.
     *
     * @param idsOfOthers under the same name, in whatever order
     */
    long stopAndCheck(List<long[]> idsOfOthers) {
        close();
        List<Path> grants =
                dead.stream().map(process -> process.task().grants()).toList();
        ledger.addAll(GrantFile.read(grants));
        if (isUnprotected) {
            ledger.allow(GrantFile.reports(grants));
        }
        for (long[] ids : idsOfOthers) {
            ledger.open(sequencer, "another", layout)
                    .add(Arrays.stream(ids).sorted().toArray());
        }
        dead.forEach(process -> process.enter(ledger));
        ledger.check();
        return ledger.size()
                + Stream.of(MoreIds.values()).mapToLong(this::check).sum();
    }

    private long check(MoreIds more) {
        List<long[]> ids = dead.stream()
                .map(process -> WriterProcess.read(more.file(process.task().file())))
                .toList();
        if (!more.isLease) {
            ids.forEach(each -> IdCheck.requireOrdered(MoreIds.LAYOUT, each));
        }
        IdCheck.requireUnique(MoreIds.LAYOUT, ids);
        return ids.stream().mapToLong(each -> each.length).sum();
    }

    @Override
    public void close() {
        List.copyOf(living).forEach(this::kill);
    }
}
