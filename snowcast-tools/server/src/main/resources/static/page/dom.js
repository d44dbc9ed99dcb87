// SPDX-License-Identifier: Apache-2.0
// The few things that all parts of the page do to it. Nothing is touched that stays as it was.

export const byId = id => document.getElementById(id);

/** A new element with a class and children, which are elements or texts. */
export function make(tag, className = '', ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

/** Makes a list have one child for each item, in order; an item that stays keeps its child. */
export function sync(list, items, key, create, update) {
  const before = new Map([...list.children].map(child => [child.dataset.key, child]));
  items.forEach((item, index) => {
    const name = String(key(item));
    let child = before.get(name);
    if (child) {
      before.delete(name);
    } else {
      child = create(item);
      child.dataset.key = name;
    }
    if (list.children[index] !== child) list.insertBefore(child, list.children[index] ?? null);
    update(child, item);
  });
  before.forEach(child => child.remove());
}

/** Makes a selection have these options, and keeps what is chosen. */
export function options(select, names) {
  if (select.dataset.names === names.join('\n')) return;
  const chosen = select.value;
  select.replaceChildren(...names.map(name => new Option(name, name)));
  select.dataset.names = names.join('\n');
  if (names.includes(chosen)) select.value = chosen;
}

const WHOLE = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
export const count = number => WHOLE.format(number);

/** A duration as people read a clock: 4:37, or 1:04:37. */
export function clock(millis) {
  const seconds = Math.max(0, Math.ceil(millis / 1000));
  const two = number => String(number).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return (hours ? `${hours}:${two(minutes)}` : minutes) + ':' + two(seconds % 60);
}

export const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Calls back when the colours of the page change. */
export function onTheme(callback) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', callback);
}

const DAY_MILLIS = 24 * 3600 * 1000;

/** A duration that may be years: as many full years or days as there are, or as a clock. */
export function duration(millis) {
  if (millis >= 2 * 365.25 * DAY_MILLIS) return `${count(Math.floor(millis / 365.25 / DAY_MILLIS))} years`;
  return millis >= 2 * DAY_MILLIS ? `${count(Math.floor(millis / DAY_MILLIS))} days` : clock(millis);
}
