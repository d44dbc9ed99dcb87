// SPDX-License-Identifier: Apache-2.0
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

// text: decimal, signed or unsigned; the layout's bits and the epoch are those of the sequencer
function decode(text, nodeBits, counterBits, epochMillis) {
  const id = BigInt.asUintN(64, BigInt(text));
  return {
    instant: new Date(epochMillis + Number(id >> BigInt(nodeBits + counterBits))).toISOString(),
    logicalNode: Number(BigInt.asUintN(nodeBits, id >> BigInt(counterBits))),
    counter: Number(BigInt.asUintN(counterBits, id)),
  };
}

function parse(text, digits) {
  let id = 0n;
  for (const character of text) {
    const digit = digits.indexOf(character);
    if (digit < 0) throw new Error(`no digit of ${digits}: ${character}`);
    id = id * BigInt(digits.length) + BigInt(digit);
  }
  return id;
}

function decodeUuid(uuid) {
  const digits = uuid.replaceAll("-", "");
  return {
    instant: new Date(parseInt(digits.slice(0, 12), 16)).toISOString(),
    logicalNode: parseInt(digits.slice(20, 24), 16),
    counter: parseInt(digits.slice(24), 16),
  };
}
