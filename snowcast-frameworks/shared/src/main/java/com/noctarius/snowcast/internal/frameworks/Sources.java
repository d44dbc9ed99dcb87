// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.PatientStart;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/** The configured sequencers, integer sequences and node leases of a {@code Snowcast}, by their keys. Thread-safe. */
public final class Sources implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Sources.class.getName());

    private final Map<String, SnowcastSequencer> sequencers = new LinkedHashMap<>();
    private final Map<String, IntegerSequence> sequences = new LinkedHashMap<>();
    private final Map<String, NodeLease> nodeLeases = new LinkedHashMap<>();

    private final Snowcast snowcast;

    private Sources(Snowcast snowcast) {
        this.snowcast = snowcast;
    }

    /**
     * Opens all sources, and retries temporary failures of a source for up to the {@code attach-timeout}. If a source
     * fails, calls {@link #close}, and throws.
     */
    public static Sources open(Snowcast snowcast, Settings settings) {
        Sources sources = new Sources(snowcast);
        PatientStart start = settings.start();
        try {
            open(settings.sequencers(), sources.sequencers, start, "Sequencer", snowcast::createSequencer);
            open(settings.sequences(), sources.sequences, start, "Integer sequence", snowcast::createIntegerSequence);
            open(settings.nodeLeases(), sources.nodeLeases, start, "Node lease", snowcast::leaseNode);
            return sources;
        } catch (RuntimeException | Error e) {
            sources.close();
            throw e;
        }
    }

    /**
     * Opens all sources of an application's own {@code Snowcast}, as {@link #open} does.
     *
     * @throws IllegalArgumentException if a property is set that has no effect on this {@code Snowcast}: node IDs could
     *     then come from other tables than the configuration says, and be granted twice
     */
    public static Sources ofOwn(Snowcast snowcast, Settings settings) {
        if (!settings.ofSnowcast().isEmpty()) {
            throw new IllegalArgumentException(String.join(", ", settings.ofSnowcast())
                    + " must not be set, because the application has its own Snowcast bean, which does not read it:"
                    + " remove it or set it to an empty text, and set the value in the code of the bean");
        }
        return open(snowcast, settings);
    }

    private static <C, T> void open(
            Map<String, C> configs, Map<String, T> opened, PatientStart start, String kind, Function<C, T> create) {
        new TreeMap<>(configs)
                .forEach((key, config) ->
                        opened.put(key, start.run(kind + " \"" + key + "\"", () -> create.apply(config))));
    }

    Snowcast snowcast() {
        return snowcast;
    }

    public Collection<SnowcastSequencer> sequencers() {
        return List.copyOf(sequencers.values());
    }

    public Collection<IntegerSequence> sequences() {
        return List.copyOf(sequences.values());
    }

    public Collection<NodeLease> nodeLeases() {
        return List.copyOf(nodeLeases.values());
    }

    public SnowcastSequencer sequencer(String key) {
        return required(sequencers, key, Settings.SEQUENCERS);
    }

    public IntegerSequence sequence(String key) {
        return required(sequences, key, Settings.SEQUENCES);
    }

    public NodeLease nodeLease(String key) {
        return required(nodeLeases, key, Settings.NODE_LEASES);
    }

    private static <T> T required(Map<String, T> all, String key, String property) {
        T found = all.get(key);
        if (found == null) {
            throw new IllegalStateException("There is no property " + property + "." + key + " any more; there are "
                    + new TreeSet<>(all.keySet()));
        }
        return found;
    }

    /**
     * Releases all node IDs and closes the integer sequences. Does nothing for a {@code JdbcSnowcast}, because its own
     * {@code close} does both, and releases all node IDs in one transaction. A failure is only logged, because a node
     * ID becomes free when its lease expires.
     */
    @Override
    public void close() {
        if (snowcast instanceof JdbcSnowcast) {
            return;
        }
        end(sequencers.values(), Sources::detach);
        end(sequences.values(), IntegerSequence::close);
        end(nodeLeases.values(), NodeLease::close);
    }

    private static void detach(SnowcastSequencer sequencer) {
        if (sequencer.getSequencerState() == SnowcastSequenceState.Attached) {
            SnowcastSequencer unused = sequencer.detachLogicalNode();
        }
    }

    private static <T> void end(Collection<T> all, Consumer<T> end) {
        for (T one : all) {
            try {
                end.accept(one);
            } catch (RuntimeException | Error e) {
                LOGGER.log(System.Logger.Level.WARNING, one + " could not be closed: " + e.getMessage(), e);
            }
        }
    }
}
