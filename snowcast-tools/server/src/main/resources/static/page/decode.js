// SPDX-License-Identifier: Apache-2.0
// The box that takes an ID apart.

import {get, post} from './api.js';
import {byId, count, make, options, setText, show} from './dom.js';

const BITS = 64n;

export function showSequencers(names) {
  options(byId('decode-sequencer'), names);
  byId('new-id').disabled = names.length === 0;
}

function fail(error) {
  show(byId('parts'), false);
  show(byId('decode-problem'), true);
  setText(byId('decode-problem'), error.message || 'The server cannot be reached');
}

async function takeApart(sequencer, id) {
  show(byId('decode-problem'), false);
  try {
    draw(await get(`ids/${encodeURIComponent(sequencer)}/${encodeURIComponent(id)}`));
  } catch (error) {
    fail(error);
  }
}

function draw(parts) {
  const {timestampBits, logicalNodeBits, counterBits} = parts.layout;
  const classes = [
    ...new Array(64 - timestampBits - logicalNodeBits - counterBits).fill('unused'),
    ...new Array(timestampBits).fill('time'),
    ...new Array(logicalNodeBits).fill('node'),
    ...new Array(counterBits).fill('counter'),
  ];
  const value = BigInt(parts.unsigned);
  byId('bits').replaceChildren(...classes.map((part, index) =>
    make('span', part, String(value >> (BITS - 1n - BigInt(index)) & 1n))));
  const rows = [
    ['Time', parts.time, `${timestampBits} bits: ${count(parts.timestamp)} ms since the epoch`, 'time'],
    ['Node ID', String(parts.logicalNodeId), `${logicalNodeBits} bits`, 'node'],
    ['Counter', String(parts.counter), `${counterBits} bits`, 'counter'],
    ['Decimal', parts.id], ...(parts.id === parts.unsigned ? [] : [['Unsigned', parts.unsigned]]),
    ['Base62', parts.base62], ['Base32', parts.base32], ['Readable', parts.readable], ['UUID', parts.uuid ?? 'none'],
  ];
  byId('parts-list').replaceChildren(...rows.flatMap(([name, text, more, part]) => {
    const words = part ? make('span', part, text) : make('code', '', text);
    return [make('dt', '', name), make('dd', '', words, ...(more ? [make('span', 'hint', ` · ${more}`)] : []))];
  }));
  show(byId('parts'), true);
}

export function listen() {
  byId('decode').addEventListener('submit', event => {
    event.preventDefault();
    takeApart(byId('decode-sequencer').value, byId('decode-id').value.trim());
  });
  byId('new-id').addEventListener('click', async () => {
    const sequencer = byId('decode-sequencer').value;
    try {
      const id = (await post(`ids/${encodeURIComponent(sequencer)}`)).ids[0];
      byId('decode-id').value = id;
      await takeApart(sequencer, id);
    } catch (error) {
      fail(error);
    }
  });
}
