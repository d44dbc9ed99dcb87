// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests

import com.noctarius.snowcast.jackson.JsonSnowcastId
import com.noctarius.snowcast.jackson.SnowcastJackson2Module
import com.noctarius.snowcast.jackson.SnowcastJackson3Module
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy

/**
 * Tests `@JsonSnowcastId` on a constructor parameter, where Kotlin puts it, with Jackson 2 and 3. KotlinTest runs this
 * class.
 */
class JsonIds {
    @JvmInline value class Customer(val value: Long)

    data class Order(@JsonSnowcastId val id: Long, val cents: Int)

    data class OrderOfNothing(@JsonSnowcastId val id: Long = 0, val cents: Int = 0)

    data class Orders(@JsonSnowcastId val ids: List<Long>)

    data class OrderOfCustomer(@JsonSnowcastId val id: Long, val customer: Customer)

    data class CustomerView(@JsonSnowcastId val id: Customer, val cents: Int)

    data class MaybeCustomerView(@JsonSnowcastId val id: Customer? = null)

    data class OneOfTwo(@JsonSnowcastId val id: Long, @get:JsonSnowcastId val other: Long)

    data class OnGetter(@get:JsonSnowcastId val id: Long, val customer: Customer)

    data class OnField(@field:JsonSnowcastId val id: Long, val customer: Customer)

    data class OnBoth(@param:JsonSnowcastId @get:JsonSnowcastId val id: Long, val customer: Customer)

    data class CustomerOnGetter(@get:JsonSnowcastId val id: Customer)

    class Body {
        @JsonSnowcastId var id: Long = ID
    }

    class Unwritten(@JsonSnowcastId private val id: Long, val cents: Long)

    class OfParameter(@JsonSnowcastId id: Long) {
        val half = id / 2
    }

    private val plain2 =
        com.fasterxml.jackson.databind.json.JsonMapper.builder().addModule(SnowcastJackson2Module()).build()
    private val kotlin2 =
        plain2.rebuild().addModule(com.fasterxml.jackson.module.kotlin.KotlinModule.Builder().build()).build()
    private val plain3 =
        tools.jackson.databind.json.JsonMapper.builder().addModule(SnowcastJackson3Module()).build()
    private val kotlin3 = plain3.rebuild().addModule(tools.jackson.module.kotlin.KotlinModule.Builder().build()).build()

    private val plain: List<(Any) -> String> = listOf(plain2::writeValueAsString, plain3::writeValueAsString)
    private val kotlin: List<(Any) -> String> = listOf(kotlin2::writeValueAsString, kotlin3::writeValueAsString)

    private fun requireText(mappers: List<(Any) -> String>, vararg values: Any) {
        for (value in values) {
            for (write in mappers) {
                assertThat(write(value)).contains("\"$ID\"").doesNotContainPattern(":\\[?$ID")
            }
        }
    }

    private fun requireRefused(mappers: List<(Any) -> String>, vararg values: Any) {
        for (value in values) {
            for (write in mappers) {
                assertThatThrownBy { write(value) }
                    .hasMessageContaining("@JsonSnowcastId on parameter 1 of ")
                    .hasMessageContaining("has no effect")
                    .hasMessageContaining("in Kotlin write @get:JsonSnowcastId")
            }
        }
    }

    fun aParameterIsHeededWithKotlinsModule() {
        requireText(kotlin, Order(ID, 1), OrderOfNothing(ID), Orders(listOf(ID)), OneOfTwo(ID, ID))
        val text = """{"id":"$ID","cents":1}"""
        assertThat(kotlin2.readValue(text, Order::class.java)).isEqualTo(Order(ID, 1))
        assertThat(kotlin3.readValue(text, Order::class.java)).isEqualTo(Order(ID, 1))
    }

    fun aParameterIsRefusedWithoutKotlinsModule() {
        requireRefused(plain, Order(ID, 1), OrderOfNothing(ID), Orders(listOf(ID)), OneOfTwo(ID, ID))
    }

    fun aParameterIsRefusedBesideAValueClass() {
        for (mappers in listOf(plain, kotlin)) {
            requireRefused(
                mappers,
                OrderOfCustomer(ID, Customer(1)),
                CustomerView(Customer(ID), 1),
                MaybeCustomerView(Customer(ID)),
            )
        }
    }

    fun aGetterOrAFieldIsHeeded() {
        for (mappers in listOf(plain, kotlin)) {
            requireText(
                mappers,
                OnGetter(ID, Customer(1)),
                OnField(ID, Customer(1)),
                OnBoth(ID, Customer(1)),
                CustomerOnGetter(Customer(ID)),
                Body(),
            )
        }
    }

    fun aParameterOfNoPropertyIsNoHarm() {
        for (write in kotlin) {
            assertThat(write(Unwritten(ID, 7))).isEqualTo("""{"cents":7}""")
            assertThat(write(OfParameter(14))).isEqualTo("""{"half":7}""")
        }
    }

    companion object {
        const val ID = 764796226110234663L
    }
}
