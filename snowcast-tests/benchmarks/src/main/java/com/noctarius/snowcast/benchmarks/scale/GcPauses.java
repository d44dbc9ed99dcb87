// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.LongAccumulator;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** Records the longest garbage-collection pause of this JVM. */
final class GcPauses {
    private final LongAccumulator longestMillis = new LongAccumulator(Math::max, 0);

    GcPauses() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            // Newer JDKs also report concurrent work, which is not a pause.
            if (collector instanceof NotificationEmitter emitter
                    && !collector.getName().contains("Concurrent")) {
                emitter.addNotificationListener(
                        (notification, handback) -> longestMillis.accumulate(millis(notification)), null, null);
            }
        }
    }

    private static long millis(Notification notification) {
        return GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                .getGcInfo()
                .getDuration();
    }

    void reset() {
        longestMillis.reset();
    }

    double longestMillis() {
        return longestMillis.get();
    }
}
