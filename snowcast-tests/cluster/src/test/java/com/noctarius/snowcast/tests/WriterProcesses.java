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

/** The processes, living and dead, that write the IDs of one sequencer. */
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
     * Starts no process yet.
     *
     * @param directory an empty directory for the files of the processes
     * @param properties properties of Hazelcast and snowcast, as flags of the JVMs
     * @param ledger the ledger of the holders in this JVM that belong to the same cluster
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

    /** Allows duplicates that merges report, for splits without protection. */
    void allowReported() {
        isUnprotected = true;
    }

    /**
     * Forbids even reported duplicates among IDs that are written from now on. After a merge, call this when the grants
     * from before it are used up.
     */
    void settle() {
        all().forEach(WriterProcess::settle);
    }

    WriterProcess addMember() throws IOException {
        return addMember(0);
    }

    /** Starts a member whose wall clock is off, both for Hazelcast and for snowcast. */
    WriterProcess addMember(long clockOffsetMillis) throws IOException {
        return add(IdWriter.Role.MEMBER, addresses(), clockOffsetMillis);
    }

    /** Starts a lite member that joins the member at a port. */
    WriterProcess addLiteMember(int peer) throws IOException {
        return add(IdWriter.Role.LITE_MEMBER, List.of(TcpCluster.LOOPBACK + ':' + peer), 0);
    }

    WriterProcess addLiteMember() throws IOException {
        return add(IdWriter.Role.LITE_MEMBER, addresses(), 0);
    }

    /** Starts a member that joins the present ones and generates no IDs. */
    WriterProcess addServer() throws IOException {
        return add(IdWriter.Role.SERVER, addresses(), 0);
    }

    WriterProcess addClient() throws IOException {
        return addClient(0);
    }

    WriterProcess addClient(long clockOffsetMillis) throws IOException {
        return add(IdWriter.Role.CLIENT, addresses(), clockOffsetMillis);
    }

    private List<String> addresses() {
        return members().map(process -> process.task().address()).toList();
    }

    private Stream<WriterProcess> members() {
        return living.stream().filter(process -> process.task().role() != IdWriter.Role.CLIENT);
    }

    private WriterProcess add(IdWriter.Role role, List<String> peers, long clockOffsetMillis) throws IOException {
        return add(List.of(), role, TcpCluster.LOOPBACK, FreePort.get(), peers, clockOffsetMillis);
    }

    /**
     * Starts a member or client in another network namespace.
     *
     * @param wrapper a command that enters the namespace, and runs the rest of the command line in its own process
     * @param peers the addresses of all members, with their ports
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

    List<WriterProcess> all() {
        return Stream.concat(living.stream(), dead.stream()).toList();
    }

    /** Waits until a member reports that it owns the sequencer's partition. Returns that member. */
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

    /** Waits until a member has reported this replica index for the sequencer's partition. Returns that member. */
    WriterProcess awaitReplica(int index) {
        String line = IdWriter.REPLICA + index;
        Await.until(line, () -> members().anyMatch(process -> isLast(process, line)));
        return members().filter(process -> isLast(process, line)).findAny().orElseThrow();
    }

    private static boolean isLast(WriterProcess process, String line) {
        return process.last(IdWriter.REPLICA).filter(line::equals).isPresent();
    }

    /** Stops processes at the same time by SIGTERM, and waits until all have ended. Returns how long that took. */
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

    /** Waits until the members {@linkplain #areSafe are safe}. */
    void awaitSafe() {
        String line = IdWriter.clusterLine((int) members().count(), true);
        members().forEach(process -> process.awaitLast(IdWriter.CLUSTER, line));
    }

    /** Returns whether all living members list each other and every partition has its backup. */
    boolean areSafe() {
        String line = IdWriter.clusterLine((int) members().count(), true);
        return members()
                .allMatch(process ->
                        process.last(IdWriter.CLUSTER).filter(line::equals).isPresent());
    }

    void awaitMore(int count) {
        awaitMore(count, List.of());
    }

    /**
     * Waits until each living process that generates IDs, except those in {@code exceptFor}, has written {@code count}
     * more IDs.
     */
    void awaitMore(int count, List<WriterProcess> exceptFor) {
        living.stream()
                .filter(process -> process.task().role() != IdWriter.Role.SERVER && !exceptFor.contains(process))
                .forEach(process -> process.awaitMore(count));
    }

    /**
     * Kills all living processes. Fails if a check of the IDs and grants of all processes fails. Returns the number of
     * IDs.
     *
     * @param idsOfOthers other IDs of the same sequencer, in any order
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
