import { type RedactedStream, type Redactor, redactStream } from '@attractor/redact';
import type { HookProgressEvent } from '../events/event.ts';

const STREAMS = ['stdout', 'stderr', 'output'] as const;

type Stream = (typeof STREAMS)[number];

/** Each event has all that was said so far; of more than this its end. */
const MAX_SHOWN = 8_000;

/** What programs of hooks say, put together: a secret that comes in two pieces is in no event. Null: nothing of it may be shown yet. */
export function createHookOutputs(
  redactor: Redactor,
): (said: Omit<HookProgressEvent, 'kind'>) => HookProgressEvent | null {
  const open = new Map<string, Readonly<Record<Stream, { readonly stream: RedactedStream; text: string }>>>();
  const begin = () => ({ stream: redactStream(redactor), text: '' });
  return (said) => {
    const kept = open.get(said.hookId) ?? { stdout: begin(), stderr: begin(), output: begin() };
    open.set(said.hookId, kept);
    let isMore = false;
    for (const name of STREAMS) {
      const more = kept[name].stream.push(said[name]);
      isMore ||= more !== '';
      kept[name].text = (kept[name].text + more).slice(-MAX_SHOWN);
    }
    const { stdout, stderr, output } = kept;
    return isMore
      ? { ...said, kind: 'HOOK_PROGRESS', stdout: stdout.text, stderr: stderr.text, output: output.text }
      : null;
  };
}
