// Writes the IDs that Hazelcast's client for Node.js gets from snowcast into a file, one decimal number per line.
const { Client } = require("hazelcast-client");
const fs = require("fs");

async function write(generator, file) {
  const out = fs.openSync(file, "ax");
  while (true) {
    try {
      const numbers = [];
      for (let i = 0; i < 50; i++) {
        numbers.push((await generator.newId()).toString());
      }
      fs.writeSync(out, numbers.join("\n") + "\n");
    } catch (e) {
      // The member may have been killed or paused. The next call may go to another member.
      console.log(`failed ${e}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function main([clusterName, ports, name, file]) {
  const client = await Client.newHazelcastClient({
    clusterName,
    network: { clusterMembers: ports.split(",").map((port) => `127.0.0.1:${port}`) },
    flakeIdGenerators: {
      "snowcast:*": { prefetchCount: 1000, prefetchValidityMillis: 1000 },
    },
    properties: { "hazelcast.client.invocation.timeout.millis": 60000, "hazelcast.logging.level": "WARN" },
  });
  const unknown = await client.getFlakeIdGenerator("snowcast:unknown");
  try {
    console.log(`unknown gave ${await unknown.newId()}`);
  } catch (e) {
    console.log(`refused ${e.name}: ${e.message}`);
  }
  write(await client.getFlakeIdGenerator(`snowcast:${name}`), file);
}

process.stdin.resume().on("end", () => process.exit(0)); // Ends with the test.
main(process.argv.slice(2)).catch((e) => {
  console.log(`failed for good: ${e.stack}`);
  process.exit(1);
});
