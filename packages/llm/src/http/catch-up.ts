/**
 * Server-sent events that arrived together, with runs of deltas made one: a reader who is behind catches up in larger steps.
 * Grammar of what is looked at (everything else passes untouched, byte for byte):
 *
 *   bytes = [rest of an event] *( event LF LF ) [begin of an event]
 *   event = head text '"' tail        head ends with one of OPENERS; text is the inside of a JSON string
 *
 * Two neighbours with the same head and tail differ in their text alone, and one event with both texts says the same.
 * The first events of a batch are never merged, so that an answer at a model's pace keeps its own steps.
 */
export function mergeDeltas(bytes: Buffer): Buffer {
  if (bytes.length < MIN_BYTES) return bytes;
  const events = bytes.toString('latin1').split('\n\n');
  if (events.length - 2 <= KEPT_EVENTS) return bytes;
  const merged = events.slice(0, KEPT_EVENTS + 1);
  let run: Run | undefined;
  for (const event of events.slice(KEPT_EVENTS + 1, -1)) {
    const delta = readDelta(event);
    if (run !== undefined && delta !== undefined && continues(run, delta)) {
      run.text += delta.text;
      run.count += 1;
      continue;
    }
    if (run !== undefined) merged.push(written(run));
    run = delta === undefined ? undefined : { ...delta, count: 1 };
    if (delta === undefined) merged.push(event);
  }
  if (run !== undefined) merged.push(written(run));
  merged.push(events.at(-1) ?? '');
  return Buffer.from(merged.join('\n\n'), 'latin1');
}

const MIN_BYTES = 4096;
const KEPT_EVENTS = 8;
const MAX_RUN = 128;

/** How a delta's text begins: Anthropic, Responses, Chat Completions. */
const OPENERS = [
  '"type":"text_delta","text":"',
  '"type":"thinking_delta","thinking":"',
  '"type":"input_json_delta","partial_json":"',
  '"delta":{"content":"',
  '"delta":"',
];

type Delta = { readonly head: string; readonly tail: string; readonly text: string };
type Run = { readonly head: string; readonly tail: string; text: string; count: number };

function readDelta(event: string): Delta | undefined {
  for (const opener of OPENERS) {
    const found = event.indexOf(opener);
    if (found === -1) continue;
    const begin = found + opener.length;
    const end = closingQuote(event, begin);
    if (end === -1) return undefined;
    return { head: event.slice(0, begin), tail: event.slice(end), text: event.slice(begin, end) };
  }
  return undefined;
}

function closingQuote(event: string, from: number): number {
  let at = event.indexOf('"', from);
  while (at !== -1 && isEscaped(event, at)) at = event.indexOf('"', at + 1);
  return at;
}

function isEscaped(event: string, at: number): boolean {
  let slashes = 0;
  while (event[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function continues(run: Run, { head, tail }: Delta): boolean {
  if (run.count >= MAX_RUN) return false;
  return (
    (run.head === head && run.tail === tail) || (shared(run.head) === shared(head) && shared(run.tail) === shared(tail))
  );
}

/** Without what differs between any two events of the Responses and Chat Completions protocols. */
function shared(part: string): string {
  return part.replace(/"sequence_number":\d+,?/, '').replace(/,?"obfuscation":"[^"\\]*"/, '');
}

function written(run: Run): string {
  return `${run.head}${run.text}${run.tail}`;
}
