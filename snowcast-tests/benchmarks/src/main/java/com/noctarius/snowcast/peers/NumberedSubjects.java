// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.github.yitter.contract.IdGeneratorOptions;
import com.github.yitter.idgen.YitIdHelper;
import com.noctarius.snowcast.peers.Subject.Need;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import me.ahoo.cosid.machine.DefaultClockBackwardsSynchronizer;
import me.ahoo.cosid.machine.DefaultMachineIdGuarder;
import me.ahoo.cosid.machine.InstanceId;
import me.ahoo.cosid.machine.LocalMachineStateStorage;
import me.ahoo.cosid.machine.MachineIdDistributor;
import me.ahoo.cosid.machine.MachineIdGuarder;
import me.ahoo.cosid.machine.ManualMachineIdDistributor;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import me.ahoo.cosid.snowflake.SnowflakeId;
import org.agrona.concurrent.SnowflakeIdGenerator;
import org.apache.shardingsphere.infra.algorithm.keygen.snowflake.SnowflakeKeyGenerateAlgorithm;
import org.apache.shardingsphere.infra.instance.ComputeNodeInstance;
import org.apache.shardingsphere.infra.instance.ComputeNodeInstanceContext;
import org.apache.shardingsphere.infra.instance.metadata.jdbc.JDBCInstanceMetaData;
import org.apache.shardingsphere.infra.util.eventbus.EventBusContext;

/** Generators with a configured node number. The number is taken from the name of the process, as in a StatefulSet. */
final class NumberedSubjects {
    private static final int MACHINE_BITS = 10;
    private static final String NAMESPACE = "orders";
    /** The page at a commit of version 2, which these tests use; the main branch describes a later version. */
    private static final String COSID_PAGE =
            "https://github.com/Ahoo-Wang/CosId/blob/709835a506f371827b81352d9fa04aaf69c6c5fb/documentation/docs/en/"
                    + "reference/config/machine.md";

    private static final String AGRONA_PAGE = "https://github.com/aeron-io/agrona/blob/"
            + "136ad83ddcba1c60a2197f1fe49acd3b9074eea4/agrona/src/main/java/org/agrona/concurrent/"
            + "SnowflakeIdGenerator.java";
    private static final String BY_HAND = "unique if running processes have different numbers";

    private NumberedSubjects() {}

    static List<Subject> all() {
        return List.of(
                new Subject(
                        "cosid-manual",
                        Need.NOTHING,
                        "machine ID by hand from the process's name, local state, guard each second;"
                                + " `ClockSyncSnowflakeId`",
                        COSID_PAGE,
                        BY_HAND,
                        NumberedSubjects::cosId),
                new Subject(
                        "agrona", Need.NOTHING, "`new SnowflakeIdGenerator(number)`", AGRONA_PAGE, BY_HAND, setup -> {
                            SnowflakeIdGenerator generator = new SnowflakeIdGenerator(setup.number());
                            return () -> Id.of(generator.nextId());
                        }),
                new Subject(
                        "yitter",
                        Need.NOTHING,
                        "`YitIdHelper` with `IdGeneratorOptions(number)`, 6 bits for the worker",
                        "https://github.com/yitter/IdGenerator/tree/master/Java",
                        BY_HAND,
                        setup -> {
                            YitIdHelper.setIdGenerator(new IdGeneratorOptions((short) (setup.number() % 64)));
                            return () -> Id.of(YitIdHelper.nextId());
                        }),
                new Subject(
                        "shardingsphere",
                        Need.NOTHING,
                        "`SNOWFLAKE` with its defaults; the worker ID is the number; cluster mode takes one from"
                                + " ZooKeeper",
                        "https://shardingsphere.apache.org/document/5.5.2/en/user-manual/common-config/builtin-algorithm/keygen/",
                        BY_HAND,
                        NumberedSubjects::shardingSphere));
    }

    private static Ids cosId(Setup setup) {
        InstanceId instance = InstanceId.of(setup.name(), false);
        MachineIdDistributor distributor = new ManualMachineIdDistributor(
                setup.number(),
                new LocalMachineStateStorage(setup.directory().toString()),
                new DefaultClockBackwardsSynchronizer());
        int machineId = distributor
                .distribute(NAMESPACE, MACHINE_BITS, instance, setup.lease())
                .getMachineId();
        Duration delay = Duration.ofSeconds(1);
        MachineIdGuarder guarder = new DefaultMachineIdGuarder(
                distributor, DefaultMachineIdGuarder.executorService(), delay, delay, setup.lease());
        guarder.register(NAMESPACE, instance);
        guarder.start();
        SnowflakeId generator = new ClockSyncSnowflakeId(new MillisecondSnowflakeId(machineId));
        return () -> Id.of(generator.generate());
    }

    private static Ids shardingSphere(Setup setup) {
        ComputeNodeInstance instance =
                new ComputeNodeInstance(new JDBCInstanceMetaData(setup.name(), setup.address(), "5.5.2", NAMESPACE));
        ComputeNodeInstanceContext context = new ComputeNodeInstanceContext(instance, null, new EventBusContext());
        context.init(
                properties -> {
                    instance.setWorkerId(setup.number());
                    return setup.number();
                },
                null);
        SnowflakeKeyGenerateAlgorithm generator = new SnowflakeKeyGenerateAlgorithm();
        generator.init(new Properties());
        generator.setComputeNodeInstanceContext(context);
        return () -> Id.of(generator.generateKeys(null, 1).iterator().next());
    }
}
