// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import cn.hutool.core.util.IdUtil;
import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import com.github.f4b6a3.tsid.TsidCreator;
import com.github.f4b6a3.tsid.TsidFactory;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.flakeidgen.FlakeIdGenerator;
import com.noctarius.snowcast.peers.Subject.Need;
import io.hypersistence.tsid.TSID;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/**
 * Generators that choose their node number at random, from the host, or as members of a cluster, or that need no
 * number.
 */
final class FreeSubjects {
    private static final int TSID_NODES = 1_024;
    private static final String BY_CHANCE = "unique if processes draw different numbers, of 1,024";
    private static final String BY_HOST = "unique if host names have different hashes";
    private static final String BY_MAC = "unique if MAC addresses and process IDs give different numbers, of 1,024";
    private static final String HUTOOL_PAGE =
            "https://github.com/dromara/hutool/blob/609e5166fef430bdd51e2f9e886180465cf0f27e/hutool-core/src/main/java/"
                    + "cn/hutool/core/util/IdUtil.java";
    private static final String TSID_PAGE = "https://github.com/vladmihalcea/hypersistence-tsid";
    private static final String TSID_CREATOR_PAGE = "https://github.com/f4b6a3/tsid-creator";

    private FreeSubjects() {}

    static List<Subject> all() {
        return List.of(
                new Subject(
                        "flake-id-generator",
                        Need.CLUSTER,
                        SnowcastSubjects.LEASE_OF_CLUSTER,
                        "embedded members, the defaults of `FlakeIdGenerator`",
                        "https://docs.hazelcast.com/hazelcast/5.5/data-structures/flake-id-generator",
                        "ordered only by batch",
                        FreeSubjects::flakeIds),
                new Subject(
                        "mybatis-plus",
                        Need.NOTHING,
                        "`Sequence` with the first address that is not of the loopback, as the starter makes it",
                        "https://baomidou.com/en/guides/id-generator/",
                        BY_MAC,
                        setup -> {
                            Sequence sequence = new Sequence(firstAddress());
                            return () -> Id.of(sequence.nextId());
                        }),
                new Subject(
                        "hutool",
                        Need.NOTHING,
                        "`IdUtil.getSnowflakeNextId()`",
                        HUTOOL_PAGE,
                        BY_MAC,
                        setup -> () -> Id.of(IdUtil.getSnowflakeNextId())),
                new Subject(
                        "tsid-random",
                        Need.NOTHING,
                        "hypersistence `TSID.Factory.getTsid1024()` with its default, a random node",
                        TSID_PAGE,
                        BY_CHANCE,
                        setup -> () -> Id.of(TSID.Factory.getTsid1024().toLong())),
                new Subject(
                        "tsid-host",
                        Need.NOTHING,
                        "hypersistence `TSID.Factory`; its page leaves the node open: the hash of the host name",
                        TSID_PAGE,
                        BY_HOST,
                        setup -> {
                            TSID.Factory factory = TSID.Factory.newInstance1024(nodeOf(setup));
                            return () -> Id.of(factory.generate().toLong());
                        }),
                new Subject(
                        "tsid-creator-random",
                        Need.NOTHING,
                        "`TsidCreator.getTsid1024()` with its default, a random node",
                        TSID_CREATOR_PAGE,
                        BY_CHANCE,
                        setup -> () -> Id.of(TsidCreator.getTsid1024().toLong())),
                new Subject(
                        "tsid-creator-host",
                        Need.NOTHING,
                        "`TsidFactory`; its page leaves the node open: the hash of the host name",
                        TSID_CREATOR_PAGE,
                        BY_HOST,
                        setup -> {
                            TsidFactory factory = TsidFactory.newInstance1024(nodeOf(setup));
                            return () -> Id.of(factory.create().toLong());
                        }),
                new Subject(
                        "uuid-v7",
                        Need.NOTHING,
                        "`Generators.timeBasedEpochGenerator()` of java-uuid-generator; 16 bytes, no number",
                        "https://github.com/cowtowncoder/java-uuid-generator",
                        "unique by chance",
                        setup -> {
                            TimeBasedEpochGenerator generator = Generators.timeBasedEpochGenerator();
                            return () -> Id.of(generator.generate());
                        }));
    }

    private static Ids flakeIds(Setup setup) {
        HazelcastInstance hazelcast = Members.join(setup);
        FlakeIdGenerator generator = hazelcast.getFlakeIdGenerator("orders");
        return () -> Id.of(generator.newId());
    }

    private static int nodeOf(Setup setup) {
        return Math.floorMod(setup.name().hashCode(), TSID_NODES);
    }

    private static InetAddress firstAddress() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst()
                .orElseGet(InetAddress::getLoopbackAddress);
    }
}
