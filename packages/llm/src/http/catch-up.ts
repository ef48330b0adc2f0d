/**
 * Server-sent events that arrived together, with runs of deltas merged: a reader that is behind catches up in larger steps. Grammar of what
 * is examined (everything else passes untouched, byte for byte):
 *
 *   bytes = [rest of an event] *( event LF LF ) [begin of an event]
 *   event = head text tail        head ends with one of OPENERS; text is the inside of a JSON string; tail begins with its quote
 *
 * Two neighbours with the same head and tail differ only in their text, and one event with both texts means the same. An answer's first
 * events, and the few that arrive together at a model's own pace, stay separate.
 */
export function createCatchUp(): (bytes: Buffer) => Buffer {
  let kept = 0;
  return (bytes) => {
    if (bytes.length < MIN_BYTES) return bytes;
    const events = bytes.toString('latin1').split('\n\n');
    if (events.length - 2 < MIN_EVENTS) return bytes;
    const keep = Math.min(events.length - 1, KEPT_EVENTS - kept + 1);
    kept += keep - 1;
    return Buffer.from(merged(events, keep).join('\n\n'), 'latin1');
  };
}

const MIN_BYTES = 1024;
const MIN_EVENTS = 8;
const KEPT_EVENTS = 32;
const MAX_RUN = 512;

/** The first and the last piece may be parts of events: they are never examined. */
function merged(events: ReadonlyArray<string>, keep: number): ReadonlyArray<string> {
  const result = events.slice(0, keep);
  let run: Run | undefined;
  for (let at = keep; at < events.length - 1; at += 1) {
    const event = events[at] ?? '';
    if (run !== undefined && joins(run, event)) continue;
    if (run !== undefined) result.push(written(run));
    run = beginRun(event);
    if (run === undefined) result.push(event);
  }
  if (run !== undefined) result.push(written(run));
  result.push(events.at(-1) ?? '');
  return result;
}

/** How a delta's text begins: Anthropic, Responses, Chat Completions. */
const OPENERS = [
  '"type":"text_delta","text":"',
  '"type":"thinking_delta","thinking":"',
  '"type":"input_json_delta","partial_json":"',
  '"delta":{"content":"',
  '"delta":"',
];

/** `opener` is where the text begins. */
type Run = { readonly head: string; readonly tail: string; readonly opener: string; text: string; count: number };

function beginRun(event: string): Run | undefined {
  for (const opener of OPENERS) {
    const found = event.indexOf(opener);
    if (found === -1) continue;
    const begin = found + opener.length;
    const end = closingQuote(event, begin);
    if (end === -1) return undefined;
    return { head: event.slice(0, begin), tail: event.slice(end), opener, text: event.slice(begin, end), count: 1 };
  }
  return undefined;
}

/** Adds the event's text to the run if nothing else differs. */
function joins(run: Run, event: string): boolean {
  if (run.count >= MAX_RUN) return false;
  const begin = event.slice(0, run.head.length) === run.head ? run.head.length : beginIn(event, run);
  if (begin === -1) return false;
  const end = closingQuote(event, begin);
  if (end === -1 || !sameEnd(run.tail, event.slice(end))) return false;
  run.text += event.slice(begin, end);
  run.count += 1;
  return true;
}

/** Where the text begins after a head that differs only in what differs between any two events. */
function beginIn(event: string, run: Run): number {
  const found = event.indexOf(run.opener);
  if (found === -1) return -1;
  const begin = found + run.opener.length;
  return shared(event.slice(0, begin)) === shared(run.head) ? begin : -1;
}

function sameEnd(tail: string, other: string): boolean {
  return tail === other || shared(tail) === shared(other);
}

/** Without what differs between any two events of the Responses and Chat Completions protocols. */
function shared(part: string): string {
  return part.replace(/"sequence_number":\d+,?/, '').replace(/,?"obfuscation":"[^"\\]*"/, '');
}

const BACKSLASH = 92;

function closingQuote(event: string, from: number): number {
  let at = event.indexOf('"', from);
  while (at !== -1 && isEscaped(event, at)) at = event.indexOf('"', at + 1);
  return at;
}

function isEscaped(event: string, at: number): boolean {
  let first = at;
  while (event.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

function written(run: Run): string {
  return `${run.head}${run.text}${run.tail}`;
}
