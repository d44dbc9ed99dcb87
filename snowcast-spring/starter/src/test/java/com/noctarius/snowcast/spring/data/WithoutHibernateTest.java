// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.hibernate.Members;
import com.noctarius.snowcast.persistence.SnowcastId;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;

/** Tests that entities of Spring Data do not need Hibernate, although {@link SnowcastId} refers to its classes. */
class WithoutHibernateTest {
    record Parcel(@Id @SnowcastId("parcels") long id, String destination) {}

    /** The task that runs without Hibernate. It is public, because a different class loader loads it. */
    public static final class Saving implements Callable<Object> {
        public Saving() {}

        @Override
        public Object call() throws Exception {
            SnowcastSequencer parcels = Members.standalone("parcels", SnowcastLayout.DEFAULT, 1);
            SnowcastIdCallback callback =
                    new SnowcastIdCallback(new RelationalMappingContext(), Map.of("parcels", parcels), Map.of());
            return ((Parcel) callback.onBeforeConvert(new Parcel(0, "Oslo"))).id();
        }
    }

    @Test
    void anEntityOfSpringDataGetsItsId() throws Exception {
        URL[] withoutHibernate = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("hibernate-"))
                .map(WithoutHibernateTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(withoutHibernate, ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> loader.loadClass("org.hibernate.annotations.IdGeneratorType"))
                    .isInstanceOf(ClassNotFoundException.class);
            Callable<?> saving = (Callable<?>)
                    loader.loadClass(Saving.class.getName()).getConstructor().newInstance();
            assertThat((Long) saving.call()).isNotZero();
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
