// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Sends each request to one node of a datacenter, the coordinator of the request. The processes of a datacenter usually
 * choose the same node for the same key, because requests for one key would delay each other if they came from several
 * coordinators. In a single coordinator, requests for one key wait in a queue. Thread-safe.
 */
final class Coordinators {
    private static final long AVOIDED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final CqlSession session;
    private final String datacenter;
    /**
     * Until when to avoid each node that did not answer or could not serve a request; the key is the node's host ID.
     */
    private final Map<UUID, Long> avoidedUntilNanos = new ConcurrentHashMap<>();

    Coordinators(CqlSession session, String datacenter) {
        this.session = session;
        this.datacenter = datacenter;
    }

    CqlSession session() {
        return session;
    }

    /**
     * Sends a request to the coordinator of a key. Marks the request as not idempotent, so that the driver neither
     * repeats it after a write time-out nor executes it speculatively.
     *
     * @throws DriverException if there was no answer, or an error; the request may have taken effect, or may still take
     *     effect
     */
    <T extends Statement<T>> ResultSet execute(String key, T statement, Deadline deadline) {
        return execute(choose(key), statement, deadline);
    }

    /** Sends a request to the given node, as {@link #execute(String, Statement, Deadline)} does. */
    <T extends Statement<T>> ResultSet execute(Node node, T statement, Deadline deadline) {
        try {
            return session.execute(statement.setNode(node).setIdempotent(false).setTimeout(deadline.remaining()));
        } catch (AllNodesFailedException e) {
            // Only one node received the request, so the error of that node is the cause.
            RuntimeException reason = e.getAllErrors().values().stream()
                    .flatMap(List::stream)
                    .filter(DriverException.class::isInstance)
                    .map(DriverException.class::cast)
                    .findFirst()
                    .orElse(e);
            avoid(node, reason);
            throw reason;
        } catch (DriverException e) {
            avoid(node, e);
            throw e;
        } catch (IllegalStateException e) {
            if (session.isClosed()) {
                throw new NoCoordinatorException("the session was closed", true);
            }
            throw e;
        }
    }

    private void avoid(Node node, RuntimeException reason) {
        // Usually, do not avoid a node that answered with an error, such as a time-out of replicas: another node would
        // probably answer the same. Avoid it after three kinds of errors that concern this node only: it sees too few
        // replicas, is overloaded, or is still starting.
        boolean isWell = reason instanceof CoordinatorException
                && !(reason instanceof UnavailableException)
                && !(reason instanceof OverloadedException)
                && !(reason instanceof BootstrappingException);
        if (!isWell) {
            avoidedUntilNanos.put(idOf(node), System.nanoTime() + AVOIDED_NANOS);
        }
    }

    /** Returns the nodes of the datacenter that the driver may use and does not know to be down. */
    List<Node> nodes() {
        return session.getMetadata().getNodes().values().stream()
                .filter(node -> datacenter.equals(node.getDatacenter()) && node.getHostId() != null)
                .filter(node -> node.getDistance() != NodeDistance.IGNORED)
                .filter(node -> node.getState() == NodeState.UP || node.getState() == NodeState.UNKNOWN)
                .sorted(Comparator.comparing(Coordinators::idOf))
                .toList();
    }

    private Node choose(String key) {
        if (session.isClosed()) {
            throw new NoCoordinatorException("the session is closed", true);
        }
        List<Node> all = nodes();
        if (all.isEmpty()) {
            throw new NoCoordinatorException(
                    "no node of datacenter " + datacenter + " is up, or the session's local datacenter is another one: "
                            + session.getMetadata().getNodes().values(),
                    false);
        }
        int start = Math.floorMod(key.hashCode(), all.size());
        for (int i = 0; i < all.size(); i++) {
            Node node = all.get((start + i) % all.size());
            if (!isAvoided(node)) {
                return node;
            }
        }
        return all.get(start);
    }

    private boolean isAvoided(Node node) {
        Long until = avoidedUntilNanos.get(idOf(node));
        return until != null && System.nanoTime() - until < 0;
    }

    private static UUID idOf(Node node) {
        return Objects.requireNonNull(node.getHostId());
    }
}
