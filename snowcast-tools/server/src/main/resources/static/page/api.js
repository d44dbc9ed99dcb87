// SPDX-License-Identifier: Apache-2.0
// Requests to the server, with the token if it asks for one. The token stays in this tab.

const KEY = 'snowcast-server-token';

export class Unauthorized extends Error {}

/** A failure that the server describes. */
export class Problem extends Error {}

export const hasToken = () => sessionStorage.getItem(KEY) !== null;
export const keepToken = token => sessionStorage.setItem(KEY, token);
export const forgetToken = () => sessionStorage.removeItem(KEY);

async function request(path, init = {}) {
  const token = sessionStorage.getItem(KEY);
  const headers = token === null ? {} : {Authorization: `Bearer ${token}`};
  const response = await fetch(path, {...init, headers, cache: 'no-store'});
  if (response.status === 401) throw new Unauthorized();
  if (!response.ok) {
    const isProblem = response.headers.get('content-type')?.includes('problem+json');
    throw new Problem(isProblem ? (await response.json()).detail : `The server answers with status ${response.status}`);
  }
  return response;
}

export const get = async path => (await request(path)).json();
export const post = async path => (await request(path, {method: 'POST'})).json();

/** Longer than the server is ever silent, which sends something each second. */
const SILENCE_MILLIS = 6000;

/** Reads server-sent events until the stream ends or fails; EventSource cannot send a token. */
export async function events(path, onOpen, onEvent) {
  const abort = new AbortController();
  let watchdog = setTimeout(() => abort.abort(), SILENCE_MILLIS);
  try {
    const response = await request(path, {signal: abort.signal});
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(() => abort.abort(), SILENCE_MILLIS);
      text += value;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const fields = Object.fromEntries(text.slice(0, end).split('\n').map(line => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
        }));
        text = text.slice(end + 2);
        if (fields.data) onEvent(fields.event, JSON.parse(fields.data));
      }
    }
  } finally {
    clearTimeout(watchdog);
    abort.abort();
  }
}
