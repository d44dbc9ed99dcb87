// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.noctarius.snowcast.persistence.SnowcastId;
import org.jspecify.annotations.Nullable;

/** MyBatis-Plus entities and their mappers. There is one table for numeric keys and one for text keys. */
final class Entities {
    static final String LONG_TABLE = "CREATE TABLE longs (id BIGINT PRIMARY KEY, name VARCHAR(20))";
    static final String TEXT_TABLE = "CREATE TABLE texts (id VARCHAR(36) PRIMARY KEY, name VARCHAR(20))";

    private Entities() {}

    @TableName("longs")
    static class Order {
        @TableId
        @SnowcastId("orders")
        public @Nullable Long id;

        public @Nullable String name;
    }

    static class SpecialOrder extends Order {}

    @TableName("longs")
    static class Unnamed {
        public @Nullable Long id;
        public @Nullable String name;
    }

    @TableName("texts")
    static class Parcel {
        @TableId(type = IdType.ASSIGN_ID)
        @SnowcastId("parcels")
        public @Nullable String id;

        public @Nullable String name;
    }

    @TableName("texts")
    static class Document {
        @TableId(type = IdType.ASSIGN_UUID)
        @SnowcastId("orders")
        public @Nullable String id;

        public @Nullable String name;
    }

    @TableName("longs")
    static class OfInteger {
        @TableId(type = IdType.ASSIGN_ID)
        @SnowcastId("orders")
        public @Nullable Integer id;
    }

    @TableName("longs")
    static class OfUnknown {
        @TableId(type = IdType.ASSIGN_ID)
        @SnowcastId("unknown")
        public @Nullable Long id;
    }

    @TableName("texts")
    static class OfPrefix {
        @TableId(type = IdType.ASSIGN_ID)
        @SnowcastId(value = "orders", prefix = "ord_")
        public @Nullable String id;
    }

    interface OfPrefixes extends BaseMapper<OfPrefix> {}

    interface Orders extends BaseMapper<Order> {}

    interface SpecialOrders extends BaseMapper<SpecialOrder> {}

    interface Unnameds extends BaseMapper<Unnamed> {}

    interface Parcels extends BaseMapper<Parcel> {}

    interface Documents extends BaseMapper<Document> {}

    interface OfIntegers extends BaseMapper<OfInteger> {}

    interface OfUnknowns extends BaseMapper<OfUnknown> {}
}
