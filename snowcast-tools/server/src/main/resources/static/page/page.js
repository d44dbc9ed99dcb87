// SPDX-License-Identifier: Apache-2.0
// Keeps the page as the server's stream of events says the cluster is.

import * as api from './api.js';
import * as decode from './decode.js';
import {byId, clock, count, duration, make, options, setText, show, sync} from './dom.js';
import * as map from './map.js';
import * as rates from './rates.js';

const MAX_LEASES = 100;
const WARNED_BEFORE_MILLIS = 365 * 24 * 3600 * 1000;
const RETRY_MILLIS = [500, 1000, 2000, 4000];
/** What this server is, by its role. */
const WHERE = {
  member: cluster => `Member of the cluster ${cluster}`,
  client: cluster => `Client of the cluster ${cluster}`,
  process: database => `Node IDs from the database ${database}`,
};

let status = null;
/** How far the clock of the cluster is ahead of this browser's. */
let aheadMillis = 0;
let statusAt = null;

const nowMillis = () => Date.now() + aheadMillis;

function shownSequencer() {
  const all = status?.cluster?.sequencers ?? [];
  return all.find(one => one.name === byId('sequencer').value) ?? all[0] ?? null;
}

function renderAll() {
  renderHead();
  renderMerge();
  renderCluster();
  renderNodes();
  renderSequences();
  decode.showSequencers(status.sequencers.map(one => one.name));
}

function renderHead() {
  const {server} = status;
  answered();
  setText(byId('where'), WHERE[server.role](server.cluster));
  const problems = [status.problem, ...status.sequencers.map(one => one.problem && `${one.name}: ${one.problem}`),
    ...status.sequences.map(one => one.problem && `${one.name}: ${one.problem}`)].filter(Boolean);
  setText(byId('problem'), problems.join(' · '));
  show(byId('problem'), problems.length > 0);
}

const seconds = instant => instant.replace(/\.\d+Z$/, 'Z');

function renderMerge() {
  const {possibleDuplicates = []} = status.cluster ?? {};
  const lines = possibleDuplicates.map(one => `IDs of ${one.sequencer}, `
    + `${one.logicalNodeId < 0 ? 'all node IDs' : `node ID ${one.logicalNodeId}`}, `
    + `from ${seconds(one.from)} to ${seconds(one.to)}`);
  sync(byId('merge-list'), lines, line => line, line => make('li', '', line), () => {});
  show(byId('merge'), lines.length > 0);
}

function renderCluster() {
  show(byId('cluster'), status.members !== null);
  if (status.members === null) return; // A database grants the node IDs.
  setText(byId('members-title'), `Members: ${status.members.length}`);
  sync(byId('members'), status.members, one => one.uuid, one => make('li', '', make('span', 'mono', one.address),
    ...(one.isThisServer ? [make('span', 'chip self', 'this server')] : []),
    ...(one.isLite ? [make('span', 'chip', 'lite')] : [])), () => {});
  const clients = status.clients ?? [];
  setText(byId('clients-title'), status.clients ? `Clients: ${clients.length}` : 'Clients');
  sync(byId('clients'), clients, one => one.uuid, one => make('li', '', make('span', 'mono', one.address),
    make('span', 'hint', one.name)), () => {});
  show(byId('no-clients'), clients.length === 0);
  setText(byId('no-clients'), status.clients ? 'No client is connected to this member.' : 'This server is a client; the page of a member shows the clients.');
}

function renderNodes() {
  const all = status.cluster?.sequencers ?? [];
  options(byId('sequencer'), all.map(one => one.name));
  show(byId('nodes'), all.length > 0);
  show(byId('sequencer').parentElement, all.length > 0);
  show(byId('no-sequencer'), status.cluster !== null && all.length === 0);
  const sequencer = shownSequencer();
  const nodes = sequencer?.nodes ?? [];
  const {attachedCount: attached = 0, expiringCount: expiring = 0, grantableCount = 0} = sequencer ?? {};
  const counts = {attached, expiring, free: grantableCount - attached - expiring};
  for (const [name, value] of Object.entries(counts)) setText(byId(name), count(value));
  setText(byId('layout'), sequencer?.layout ?? '–');
  const [time, node, counter] = (sequencer?.layout ?? '').split('/');
  setText(byId('layout-hint'), counter ? `bits: ${time} of milliseconds, ${node} of the node, ${counter} of a counter` : '');
  renderEnds(sequencer);
  map.showNodes(sequencer, nowMillis());
  map.summary(counts);
  renderLeases(sequencer, nodes);
}

const notListed = () => (status.cluster?.sequencerCount ?? 0) - (status.cluster?.sequencers.length ?? 0);

/** How long the layout lasts; a note from a year before its end, and before IDs turn negative. */
function renderEnds(sequencer) {
  const left = instant => Date.parse(instant) - nowMillis();
  setText(byId('time-left'), sequencer ? duration(left(sequencer.timeEnds)) : '–');
  const isSoon = instant => instant && left(instant) < WARNED_BEFORE_MILLIS;
  const lines = !sequencer ? [] : [
    isSoon(sequencer.timeEnds) && (left(sequencer.timeEnds) > 0
      ? `The time of this layout ends at ${sequencer.timeEnds}; then no IDs are issued.`
      : `The time of this layout is used up since ${sequencer.timeEnds}: no IDs are issued.`),
    isSoon(sequencer.turnsNegative) && left(sequencer.turnsNegative) > 0
      && `IDs turn negative at ${sequencer.turnsNegative}, as signed numbers.`,
    notListed() > 0 && `And ${count(notListed())} more sequencers, which are not listed.`,
  ].filter(Boolean);
  setText(byId('ends'), lines.join(' '));
  show(byId('ends'), lines.length > 0);
}

function renderLeases(sequencer, nodes) {
  const now = nowMillis();
  const own = status.sequencers.find(one => one.name === sequencer?.name);
  // The same for all bars, and after each reload: a lease, or what is left of the longest one.
  const scale = nodes.reduce((longest, node) => Math.max(longest, Date.parse(node.until) - now), own?.leaseMillis ?? 1);
  setText(byId('lease-hint'), 'A process renews its lease when half of it is over.'
    + (own ? ` A full bar is a lease of this server, ${clock(own.leaseMillis)}.` : ''));
  show(byId('lease-hint'), nodes.length > 0);
  const sorted = [...nodes].sort((a, b) => Date.parse(a.until) - Date.parse(b.until) || a.id - b.id);
  show(byId('no-lease'), nodes.length === 0);
  show(byId('leases'), nodes.length > 0);
  const all = (sequencer?.attachedCount ?? 0) + (sequencer?.expiringCount ?? 0);
  setText(byId('leases-title'), nodes.length < all ? `Leases: ${count(nodes.length)} of ${count(all)} are known here`
    : nodes.length > MAX_LEASES ? `Leases: the first ${MAX_LEASES} of ${count(nodes.length)} to end` : 'Leases');
  sync(byId('leases'), sorted.slice(0, MAX_LEASES), node => `${sequencer.name} ${node.id}`, () => {
    const item = make('li', '');
    const bar = make('div', 'bar', make('i'));
    bar.setAttribute('aria-hidden', 'true');
    item.append(make('div', 'top', make('span', 'id'), make('span', 'chip state'), make('span', 'left')), bar, make('div', 'host'));
    return item;
  }, (item, node) => {
    const left = Date.parse(node.until) - now;
    const [id, state, remaining] = item.firstChild.children;
    item.className = node.state;
    setText(id, `Node ${node.id}`);
    setText(state, node.state);
    setText(remaining, node.state === 'attached' ? `${clock(left)} left` : `free in ${clock(left)}`);
    const width = `${Math.round(1000 * Math.min(1, Math.max(0, left) / scale)) / 10}%`;
    const bar = item.children[1].firstChild;
    if (bar.style.width !== width) bar.style.width = width;
    setText(item.lastChild, node.holder + (node.state === 'attached' && node.id === own?.logicalNodeId ? ', this server' : ''));
  });
}

function renderSequences() {
  const stored = new Map((status.cluster?.sequences ?? []).map(one => [one.name, one]));
  const own = new Map(status.sequences.map(one => [one.name, one]));
  const names = [...new Set([...stored.keys(), ...own.keys()])].sort();
  show(byId('no-sequence'), names.length === 0);
  show(byId('sequences-hint'), names.length > 0);
  sync(byId('sequences'), names, name => name, name => {
    const bar = make('div', 'bar', make('i'));
    bar.setAttribute('aria-hidden', 'true');
    return make('li', '', make('p', 'name', name), bar, make('p'), make('p'));
  }, (item, name) => {
    const [title, bar, left, block] = item.children;
    setText(title, name);
    const known = stored.get(name);
    const mine = own.get(name);
    show(bar, Boolean(known));
    if (known) {
      const all = BigInt(known.lastValue) - BigInt(known.firstValue) + 1n;
      const width = `${Number((all - BigInt(known.remaining)) * 1000n / all) / 10}%`;
      if (bar.firstChild.style.width !== width) bar.firstChild.style.width = width;
    }
    setText(left, !known ? 'Its blocks come from a store.'
      : `${count(BigInt(known.remaining))} left of ${count(BigInt(known.firstValue))} to ${count(BigInt(known.lastValue))}`
        + (known.highest === null ? '' : `; reserved up to ${count(BigInt(known.highest))}`));
    setText(block, mine ? `This server: ${count(mine.remaining)} in its blocks; blocks of ${count(mine.blockSize)}, of which it has reserved ${count(mine.blocks)}` : '');
  });
}

function connection(state, text) {
  byId('connection').dataset.state = state;
  setText(byId('connection'), text);
  document.body.classList.toggle('stale', state === 'cut');
  show(byId('cut'), state === 'cut' && statusAt !== null);
  if (state === 'cut' && statusAt) {
    setText(byId('cut'), `The connection to the server is cut. This is the state of ${statusAt.toLocaleTimeString('en-GB')}; `
      + 'the page continues by itself when the server answers.');
  }
}

/** The connection to the server is open: whether what it shows is the present. */
function answered() {
  const since = status?.unansweredSince;
  if (since) connection('unanswered', `No answer since ${new Date(since).toLocaleTimeString('en-GB')}`);
  else connection('live', 'Live');
}

function onEvent(name, data) {
  if (name === 'history') {
    if (status) rates.begin(data, status);
    return;
  }
  const timeMillis = Date.parse(data.time);
  aheadMillis = timeMillis - Date.now();
  statusAt = new Date();
  if (name === 'status') {
    status = data;
    renderAll();
  }
  if (status) rates.sample(status, timeMillis);
}

/** The bars count down between events, too. */
setInterval(() => {
  if (!status || !['live', 'unanswered'].includes(byId('connection').dataset.state)) return;
  renderLeases(shownSequencer(), shownSequencer()?.nodes ?? []);
  map.describe(nowMillis());
  renderEnds(shownSequencer());
}, 1000);

const pause = millis => new Promise(resolve => setTimeout(resolve, millis));

function askForToken() {
  const login = byId('login');
  show(byId('login-problem'), api.hasToken());
  setText(byId('login-problem'), 'This is not the token of the server.');
  api.forgetToken();
  return new Promise(resolve => {
    byId('login-form').addEventListener('submit', () => {
      api.keepToken(byId('token').value.trim());
      byId('token').value = '';
      resolve();
    }, {once: true});
    login.addEventListener('cancel', event => event.preventDefault());
    if (!login.open) login.showModal();
  });
}

async function run() {
  for (let attempt = 0; ; attempt++) {
    try {
      await api.events('events', () => {
        attempt = 0;
        show(byId('forget'), api.hasToken());
        answered();
      }, onEvent);
    } catch (error) {
      if (error instanceof api.Unauthorized) {
        connection('connecting', 'Token needed');
        await askForToken();
        attempt = -1;
        continue;
      }
      if (error instanceof api.Problem) setText(byId('problem'), error.message);
      if (error instanceof api.Problem) show(byId('problem'), true);
    }
    connection('cut', statusAt ? 'Connection cut' : 'No connection');
    await pause(RETRY_MILLIS[Math.min(attempt, RETRY_MILLIS.length - 1)]);
  }
}

byId('sequencer').addEventListener('change', renderNodes);
byId('forget').addEventListener('click', () => {
  api.forgetToken();
  location.reload();
});
map.listen(nowMillis);
rates.listen();
decode.listen();
run();
