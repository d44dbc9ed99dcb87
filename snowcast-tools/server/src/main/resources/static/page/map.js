// SPDX-License-Identifier: Apache-2.0
// The map of the node IDs of one sequencer. Attached, expiring and free differ by shape as well as by colour.

import {byId, clock, color, count, onTheme, setText} from './dom.js';

const canvas = byId('map');
/** A large map is small while few nodes are taken, and grows when there is more to see. */
const SMALL_CELL = 3;
const LARGE_CELL = 6;
const FEW = 1 / 16;
/** So many nodes at most have cells that a finger can hit. */
const MAX_TOUCHED = 512;
const TOUCHED_CELL = 22;
/** Where cells are smaller and few nodes are taken, these are drawn larger than their cells. */
const MARK = 10;
const MAX_MARKS = 128;
/** How far from a taken node a finger or pointer may be. */
const REACH = 18;

let sequencer = null;
let nodes = new Map();
let drawn = '';
let grid = {columns: 1, rows: 1, cell: TOUCHED_CELL};
let chosen = -1;

export function showNodes(of, now) {
  if (sequencer?.name !== of?.name) chosen = -1;
  sequencer = of;
  nodes = new Map((of?.nodes ?? []).map(node => [node.id, node]));
  draw();
  describe(now);
}

/** As wide as there is room, so that the last row may be shorter. */
function layOut() {
  const width = canvas.parentElement.clientWidth - 16;
  const wanted = sequencer.nodeCount <= MAX_TOUCHED ? TOUCHED_CELL
    : nodes.size / sequencer.nodeCount < FEW ? SMALL_CELL : LARGE_CELL;
  const columns = Math.max(1, Math.min(sequencer.nodeCount, Math.floor(width / wanted)));
  const cell = Math.min(2 * TOUCHED_CELL, Math.floor(100 * width / columns) / 100);
  grid = {columns, rows: Math.ceil(sequencer.nodeCount / columns), cell};
}

function draw() {
  if (!sequencer) return;
  layOut();
  const taken = [...nodes.values()].sort((a, b) => a.id - b.id);
  const picture = [grid.columns, grid.cell, devicePixelRatio, color('--card'), chosen, sequencer.nodeCount,
    ...taken.map(node => node.id + node.state)].join();
  if (picture === drawn) return;
  drawn = picture;

  const {columns, rows, cell} = grid;
  const margin = MARK;
  const width = columns * cell + 2 * margin;
  const height = rows * cell + 2 * margin;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.style.margin = `-${margin - 4}px`;
  const pen = canvas.getContext('2d');
  pen.scale(devicePixelRatio, devicePixelRatio);
  pen.translate(margin, margin);

  pen.fillStyle = color('--free');
  // On whole pixels, or thousands of dots would be a blur.
  const sharp = length => Math.round(length * devicePixelRatio) / devicePixelRatio;
  const dot = Math.max(1, sharp(cell * 0.36));
  const inset = (cell - dot) / 2;
  for (let id = 0; id < sequencer.nodeCount; id++) {
    if (!nodes.has(id)) pen.fillRect(sharp(id % columns * cell + inset), sharp(Math.floor(id / columns) * cell + inset), dot, dot);
  }
  for (const node of taken) drawTaken(pen, node, taken.length <= MAX_MARKS ? Math.max(cell, MARK) : cell);
  if (chosen >= 0) {
    const [x, y] = corner(chosen);
    pen.strokeStyle = color('--ink');
    pen.lineWidth = 2;
    pen.strokeRect(x - 2, y - 2, cell + 4, cell + 4);
  }
}

/** Returns the node at a place: a taken one that is near, since those are what is looked for, else the one of the cell. */
function nodeAt(x, y) {
  const {columns, cell} = grid;
  const reach = Math.max(REACH, cell / 2);
  let nearest = -1;
  let least = cell < REACH ? reach * reach : 0;
  for (const id of nodes.keys()) {
    const [left, top] = corner(id);
    const away = (left + cell / 2 - x) ** 2 + (top + cell / 2 - y) ** 2;
    if (away < least) [nearest, least] = [id, away];
  }
  if (nearest >= 0) return nearest;
  const column = Math.floor(x / cell);
  const id = Math.floor(y / cell) * columns + column;
  return column >= 0 && column < columns && y >= 0 && id < sequencer.nodeCount ? id : -1;
}

const corner = id => [id % grid.columns * grid.cell, Math.floor(id / grid.columns) * grid.cell];

/** A full square, or half of one within its outline. */
function drawTaken(pen, node, size) {
  const offset = (grid.cell - size) / 2;
  const [x, y] = corner(node.id).map(place => place + offset);
  pen.fillStyle = color('--page');
  pen.fillRect(x - 1, y - 1, size + 2, size + 2);
  pen.fillStyle = pen.strokeStyle = color(node.state === 'attached' ? '--attached' : '--expiring');
  if (node.state === 'attached') {
    pen.fillRect(x + 0.5, y + 0.5, size - 1, size - 1);
    return;
  }
  pen.lineWidth = 1.5;
  pen.strokeRect(x + 0.75, y + 0.75, size - 1.5, size - 1.5);
  pen.beginPath();
  pen.moveTo(x + 0.5, y + 0.5);
  pen.lineTo(x + size - 0.5, y + size - 0.5);
  pen.lineTo(x + 0.5, y + size - 0.5);
  pen.fill();
}

/** Tells the node that is pointed at. */
export function describe(now) {
  if (chosen < 0 || !sequencer) {
    setText(byId('node'), '');
    return;
  }
  const node = nodes.get(chosen);
  const name = `Node ${chosen}`;
  const isWhole = nodes.size === sequencer.attachedCount + sequencer.expiringCount;
  setText(byId('node'), !node ? `${name}: ${isWhole ? 'free' : 'free, or not known here'}`
    : node.state === 'attached'
      ? `${name}: attached, by ${node.holder}; the lease ends in ${clock(Date.parse(node.until) - now)}`
      : `${name}: expiring, was attached by ${node.holder}; free in ${clock(Date.parse(node.until) - now)}`);
}

export function summary(counts) {
  const text = `Map of ${count(sequencer?.nodeCount ?? 0)} node IDs: ${counts.attached} attached, `
    + `${counts.expiring} expiring, ${count(counts.free)} free. Arrow keys go from node to node.`;
  if (canvas.getAttribute('aria-label') !== text) canvas.setAttribute('aria-label', text);
}

function choose(id, now) {
  chosen = id;
  draw();
  describe(now);
}

export function listen(nowMillis) {
  const point = event => {
    if (sequencer) choose(nodeAt(event.offsetX - MARK, event.offsetY - MARK), nowMillis());
  };
  canvas.addEventListener('pointermove', point);
  canvas.addEventListener('pointerdown', point);
  // A finger that is lifted leaves, too; what it pointed at stays until the next touch.
  canvas.addEventListener('pointerleave', event => event.pointerType === 'touch' || choose(-1, nowMillis()));
  canvas.addEventListener('blur', () => choose(-1, nowMillis()));
  canvas.addEventListener('keydown', event => {
    const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.columns, ArrowDown: grid.columns};
    if (!sequencer || !(event.key in steps)) return;
    event.preventDefault();
    const first = nodes.size ? Math.min(...nodes.keys()) : 0;
    const next = chosen < 0 ? first : chosen + steps[event.key];
    choose(Math.min(sequencer.nodeCount - 1, Math.max(0, next)), nowMillis());
  });
  new ResizeObserver(draw).observe(canvas.parentElement);
  onTheme(draw);
}
