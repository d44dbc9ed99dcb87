// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.noctarius.snowcast.cassandra.node.CassandraNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.store.BlockStoreOpener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/** Opens the store of a process that a test starts; runs in that process. */
public final class CassandraOpener implements BlockStoreOpener {
    /** Called in the other process, by reflection. */
    public CassandraOpener() {}

    static List<String> arguments(CassandraNode node, String keyspace, CassandraContract.StoreKind kind, int handle) {
        return List.of(
                node.address().getHostString(),
                Integer.toString(node.address().getPort()),
                node.datacenter(),
                keyspace,
                kind.name(),
                Integer.toString(handle));
    }

    @Override
    public BlockStore open(List<String> arguments) {
        String datacenter = arguments.get(2);
        CqlSession session = TestSessions.open(
                new InetSocketAddress(arguments.get(0), Integer.parseInt(arguments.get(1))), datacenter, "V4");
        return CassandraContract.StoreKind.valueOf(arguments.get(4))
                .open(
                        arguments.size() > 6 ? noting(session, Path.of(arguments.get(6))) : session,
                        arguments.get(3),
                        datacenter,
                        Integer.parseInt(arguments.get(5)));
    }

    /** A step of a reservation. The process writes it to a file, which remains when the process is killed. */
    enum Step {
        OTHER,
        /** The process has posted a request, and has not read the row since. */
        POSTED,
        /** A conditional change of the process has no answer yet. */
        CHANGING;

        private void note(MappedByteBuffer noted) {
            noted.put(0, (byte) name().charAt(0));
        }

        static Step of(Path file) throws IOException {
            String noted = Files.exists(file) ? Files.readString(file) : "";
            return Arrays.stream(values())
                    .filter(step -> !noted.isEmpty() && step.name().startsWith(noted))
                    .findFirst()
                    .orElse(OTHER);
        }
    }

    private static CqlSession noting(CqlSession session, Path file) {
        MappedByteBuffer noted;
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            noted = channel.map(FileChannel.MapMode.READ_WRITE, 0, 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Sessions.around(session, (method, argument, call) -> {
            boolean isChange = method.equals("execute")
                    && argument instanceof Statement<?> statement
                    && statement.getSerialConsistencyLevel() != null;
            if (isChange) {
                Step.CHANGING.note(noted);
            }
            try {
                Object result = call.proceed();
                if (result instanceof ResultSet rows) {
                    boolean isPost = !isChange && rows.getColumnDefinitions().size() == 0;
                    (isPost ? Step.POSTED : Step.OTHER).note(noted);
                }
                return result;
            } catch (DriverException e) {
                Step.OTHER.note(noted);
                throw e;
            }
        });
    }
}
