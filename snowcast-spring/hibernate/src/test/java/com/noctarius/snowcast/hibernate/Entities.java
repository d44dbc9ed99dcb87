// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.persistence.SnowcastId;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import java.io.Serial;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Entities with annotated identifiers. Snowcast rejects some of them, because their identifier has a wrong type. */
final class Entities {
    private Entities() {}

    @Entity(name = "Purchase")
    static class Purchase {
        @Id
        @SnowcastId("orders")
        long id;

        int position;

        Purchase() {}

        Purchase(int position) {
            this.position = position;
        }
    }

    @Entity(name = "ByGetter")
    static class ByGetter {
        private @Nullable Long id;

        @Id
        @SnowcastId("orders")
        public @Nullable Long getId() {
            return id;
        }

        public void setId(@Nullable Long id) {
            this.id = id;
        }
    }

    @Entity(name = "Shipment")
    static class Shipment {
        @Id
        long id;

        @MapsId
        @OneToOne
        @Nullable
        Purchase purchase;
    }

    @MappedSuperclass
    abstract static class Base {
        @Id
        @SnowcastId("orders")
        long id;
    }

    @Entity(name = "Derived")
    static class Derived extends Base {}

    @MappedSuperclass
    abstract static class GenericBase<K extends Serializable> {
        @Id
        @SnowcastId("orders")
        @Nullable
        K id;
    }

    @Entity(name = "OfLong")
    static class OfLong extends GenericBase<Long> {}

    @Entity(name = "OfShortKey")
    static class OfShortKey extends GenericBase<Short> {}

    @Entity(name = "Animal")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Animal {
        @Id
        @SnowcastId("orders")
        long id;
    }

    @Entity(name = "Cat")
    static class Cat extends Animal {}

    @Embeddable
    static class LineId implements Serializable {
        @Serial
        private static final long serialVersionUID = 1L;

        @SnowcastId("orders")
        long number;

        int part;

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof LineId id && id.number == number && id.part == part;
        }

        @Override
        public int hashCode() {
            return Objects.hash(number, part);
        }
    }

    @Entity(name = "Line")
    static class Line {
        @EmbeddedId
        LineId id = new LineId();
    }

    static class SlotId implements Serializable {
        @Serial
        private static final long serialVersionUID = 1L;

        @Nullable
        Long number;

        int part;

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof SlotId id && Objects.equals(id.number, number) && id.part == part;
        }

        @Override
        public int hashCode() {
            return Objects.hash(number, part);
        }
    }

    @Entity(name = "Slot")
    @IdClass(SlotId.class)
    static class Slot {
        @Id
        @SnowcastId("orders")
        @Nullable
        Long number;

        @Id
        int part;
    }

    @Entity(name = "OfShort")
    static class OfShort {
        @Id
        @SnowcastId("orders")
        @Nullable
        Short id;
    }

    @Entity(name = "OfInteger")
    static class OfInteger {
        @Id
        @SnowcastId("orders")
        @Nullable
        Integer id;
    }

    @Entity(name = "OfInt")
    static class OfInt {
        private int id;

        @Id
        @SnowcastId("orders")
        public int getId() {
            return id;
        }

        public void setId(int id) {
            this.id = id;
        }
    }
}
