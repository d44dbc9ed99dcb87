// SPDX-License-Identifier: Apache-2.0
// What this server hands out per second, as a plot that moves only while something is handed out.

import uPlot from '../webjars/uplot/dist/uPlot.esm.js';
import {byId, color, count, make, onTheme, setText, sync} from './dom.js';

const SECONDS = 180;
/** The clock of the samples that the server keeps, and that of its events, have no second in common. */
const SHORTEST_MILLIS = 500;
const COLORS = 6;
const DASHES = [[], [8, 4], [2, 4]];
const HEIGHT = 200;

const box = byId('plot');
const times = Array.from({length: SECONDS + 1}, (_, index) => index - SECONDS);
let series = new Map();
let last = null;
let plot = null;
let shown = '';

const subjects = status => [
  ...status.sequencers.map(one => ({key: `s ${one.name}`, label: one.name, what: 'IDs', issued: one.issued})),
  ...status.sequences.map(one => ({key: `i ${one.name}`, label: one.name, what: 'integers', issued: one.issued})),
];

/** Takes the counts of a moment, at most one per second. */
export function sample(status, timeMillis) {
  add(subjects(status), status.server.uuid, timeMillis);
  draw();
}

/** Begins with what the server has kept, also of the time in which the connection was cut. */
export function begin(kept, status) {
  series = new Map();
  last = null;
  kept.times.forEach((timeMillis, index) => add(subjects({
    sequencers: status.sequencers.map(one => ({name: one.name, issued: kept.sequencers[one.name]?.[index] ?? 0})),
    sequences: status.sequences.map(one => ({name: one.name, issued: kept.sequences[one.name]?.[index] ?? 0})),
  }), status.server.uuid, timeMillis));
  draw();
}

function add(now, server, timeMillis) {
  const isNew = last === null || last.server !== server || timeMillis < last.timeMillis;
  if (!isNew && timeMillis - last.timeMillis < SHORTEST_MILLIS) return;
  const seconds = isNew ? 1 : Math.max(1, Math.round((timeMillis - last.timeMillis) / 1000));
  const former = series;
  series = new Map(now.map((one, index) => {
    const values = former.get(one.key)?.values ?? new Array(SECONDS + 1).fill(null);
    const before = isNew ? undefined : last.issued.get(one.key);
    const rate = before === undefined ? null : (one.issued - before) * 1000 / (timeMillis - last.timeMillis);
    // What went by without a report is not known second by second.
    for (let gap = 1; gap < Math.min(seconds, SECONDS); gap++) values.push(null);
    values.push(rate);
    return [one.key, {...one, index: index % COLORS, values: values.slice(-SECONDS - 1)}];
  }));
  last = {server, timeMillis, issued: new Map(now.map(one => [one.key, one.issued]))};
}

function draw() {
  const all = [...series.values()];
  sync(byId('rates'), all, one => one.key, one => {
    const item = make('li', `c${one.index}`, make('span', 'line'), make('span', '', one.label), make('b'));
    return item;
  }, (item, one) => setText(item.lastChild, `${count(one.values.at(-1) ?? 0)} ${one.what}/s`));
  const label = all.length === 0 ? 'Nothing is handed out: no sequencer is configured'
    : 'Plot of what is handed out per second; the list that follows has the present values';
  if (box.getAttribute('aria-label') !== label) box.setAttribute('aria-label', label);

  const highest = String(Math.round(Math.max(0, ...all.flatMap(one => one.values.map(value => value ?? 0)))));
  if (box.dataset.highest !== highest) box.dataset.highest = highest;
  const names = all.map(one => one.key).join('\n');
  if (!plot || shown !== names) {
    shown = names;
    plotAnew(all);
  } else if (all.some(one => one.values.some(value => value)) || plot.hasValues) {
    plot.setData(data(all));
  }
  plot.hasValues = all.some(one => one.values.some(value => value));
}

const data = all => [times, ...all.map(one => one.values)];

const short = new Intl.NumberFormat('en', {notation: 'compact', maximumFractionDigits: 1});

function plotAnew(all) {
  plot?.destroy();
  const axis = {
    stroke: color('--muted'), font: '12px system-ui, "Liberation Sans", "DejaVu Sans", sans-serif',
    grid: {stroke: color('--line'), width: 1}, ticks: {show: false},
  };
  plot = new uPlot({
    width: box.clientWidth, height: HEIGHT, legend: {show: false}, cursor: {show: false}, padding: [8, 12, 0, 0],
    scales: {x: {time: false, range: [-SECONDS, 0]}, y: {range: (_, min, max) => [0, Math.max(10, (max ?? 0) * 1.15)]}},
    axes: [
      {...axis, size: 28, splits: () => [-180, -120, -60, 0], values: (_, at) => at.map(second => second === 0 ? 'now' : `${second / 60} min`)},
      {...axis, size: 54, values: (_, at) => at.map(value => short.format(value))},
    ],
    series: [{}, ...all.map(one => ({
      label: one.label, stroke: color(`--c${one.index}`), width: 2, dash: DASHES[one.index % DASHES.length],
      points: {show: false},
    }))],
  }, data(all), box);
}

export function listen() {
  new ResizeObserver(() => plot?.setSize({width: box.clientWidth, height: HEIGHT})).observe(box);
  onTheme(() => plot && plotAnew([...series.values()]));
}
