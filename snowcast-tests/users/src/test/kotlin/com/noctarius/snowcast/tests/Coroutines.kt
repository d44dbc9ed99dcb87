// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests

import com.noctarius.snowcast.IntegerSequenceConfig
import com.noctarius.snowcast.SequencerConfig
import com.noctarius.snowcast.SnowcastEpoch
import com.noctarius.snowcast.SnowcastLayout
import com.noctarius.snowcast.SnowcastSequencer
import com.noctarius.snowcast.SnowcastSystem
import com.noctarius.snowcast.store.Block
import com.noctarius.snowcast.store.BlockStore
import com.noctarius.snowcast.store.MemoryBlockStore
import java.nio.file.Files
import java.nio.file.Path
import java.time.Instant
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import reactor.blockhound.BlockHound
import reactor.blockhound.BlockingOperationError

/** Tests the coroutines of docs/reactive.md on threads that BlockHound watches. KotlinTest runs this class. */
class Coroutines {
    class Orders(private val orders: SnowcastSequencer) {
        suspend fun newOrder(): Long = orders.nextAsync().await()
    }

    /** A store whose reservations wait until [isOpen] is counted down. */
    private class SlowStore : BlockStore {
        private val memory = MemoryBlockStore()
        val isOpen = CountDownLatch(1)

        override fun reserve(sequence: String, size: Long): Block {
            isOpen.await()
            return memory.reserve(sequence, size)
        }
    }

    companion object {
        private const val CALLS = 200
        private val BLOCKED = ConcurrentLinkedQueue<String>()

        init {
            BlockHound.builder()
                .loadIntegrations()
                .blockingMethodCallback { method ->
                    BLOCKED.add(method.toString())
                    throw BlockingOperationError(method)
                }
                .install()
        }
    }

    /** Returns a sequencer with two IDs per millisecond, so that most calls wait. */
    private fun fewPerMillisecond(): SnowcastSequencer =
        SnowcastSystem.standaloneSequencer(
            SequencerConfig.builder("orders")
                .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
                .layout(SnowcastLayout(41, 7, 1))
                .build(),
            1,
        )

    fun coroutinesWaitForIdsWithoutBlockingAThread() {
        val sequencer = fewPerMillisecond()
        val orders = Orders(sequencer)
        val ids = runBlocking(Dispatchers.Default) { List(CALLS) { async { orders.newOrder() } }.awaitAll() }
        assertThat(ids).hasSize(CALLS).doesNotHaveDuplicates()
        assertThat(BLOCKED).isEmpty()
    }

    fun coroutinesWaitForIntegersWithoutBlockingAThread() {
        val store = SlowStore()
        val stamps = SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("stamps").store(store).build())
        val integers =
            runBlocking(Dispatchers.Default) {
                // Start the calls undispatched, so that all of them wait before there is a block.
                val calls = List(CALLS) { async(start = CoroutineStart.UNDISPATCHED) { stamps.nextAsync().await() } }
                store.isOpen.countDown()
                calls.awaitAll()
            }
        assertThat(integers).hasSize(CALLS).doesNotHaveDuplicates()
        assertThat(BLOCKED).isEmpty()
    }

    fun aCoroutineThatIsCancelledGetsNothingAndTheOthersAllOfIt() {
        val store = SlowStore()
        val stamps = SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("stamps").store(store).build())
        val integers =
            runBlocking(Dispatchers.Default) {
                val calls = List(CALLS) { async(start = CoroutineStart.UNDISPATCHED) { stamps.nextAsync().await() } }
                val (cancelled, others) = calls.withIndex().partition { it.index % 2 == 0 }
                cancelled.forEach { it.value.cancelAndJoin() }
                store.isOpen.countDown()
                assertThat(cancelled).allMatch { it.value.isCancelled }
                others.map { it.value }.awaitAll()
            }
        assertThat(integers).hasSize(CALLS / 2).doesNotHaveDuplicates()
        // A cancelled call that had taken an integer would leave a gap.
        assertThat(integers.max() - integers.min()).isEqualTo(CALLS / 2 - 1L)
    }

    /** Tests that BlockHound detects a blocking call, so that the other tests can rely on it. */
    fun blockHoundBites() {
        val sequencer = fewPerMillisecond()
        val before = BLOCKED.size
        val failure =
            runCatching { runBlocking(Dispatchers.Default) { repeat(CALLS) { sequencer.next() } } }.exceptionOrNull()
        assertThat(failure).isInstanceOf(BlockingOperationError::class.java)
        assertThat(BLOCKED.size).isGreaterThan(before)
        BLOCKED.clear()
    }

    fun whatTheDocumentShowsIsWhatRunsHere() {
        val document = Files.readString(Path.of("../../docs/reactive.md"))
        val here = Files.readString(Path.of("src/test/kotlin/com/noctarius/snowcast/tests/Coroutines.kt"))
        val shown = Regex("```kotlin\n(.*?)```", RegexOption.DOT_MATCHES_ALL).findAll(document).toList()
        assertThat(shown).hasSize(1)
        assertThat(plain(here)).contains(plain(shown.single().groupValues[1]))
    }

    private fun plain(code: String) = code.replace(Regex("\\s+"), " ").trim()
}
