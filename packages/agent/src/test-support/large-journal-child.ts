/* A program for tests: writes a journal of the given size, or folds the existing one, and reports the cost. */
import path from 'node:path';
import { peakSize } from '@attractor/base/testing/peak-size';
import { openJournal } from '@attractor/journal';
import { replay } from '../session/replay.ts';
import type { DeliveredEvent } from '../types/index.ts';

const [, , order = '', folder = '', rounds = '0', bytes = '0', every = '4'] = process.argv;
const file = path.join(folder, 'journal.jsonl');
let made = 0;

if (order === 'write') await write();
else fold();

/**
 * Inputs of ten rounds each. One output in four (or in as many as given) is large, and no two are the same, so that nothing is stored once
 * for many.
 */
async function write(): Promise<void> {
  // Loaded only here: its own memory would count towards the fold.
  const { eventsOf } = await import('@attractor/journal/testing');
  const journal = openJournal(file);
  let seq = 0;
  for (let input = 0; input < Number(rounds) / 10; input++) {
    const sizes = Array.from({ length: 10 }, () => [0]);
    for (const event of eventsOf('ses_large', [{ text: `input ${input}`, rounds: sizes }]).slice(seq === 0 ? 0 : 2)) {
      journal.append({ ...retold(event, input), seq: ++seq });
    }
  }
  journal.close();
  process.stdout.write(JSON.stringify({ events: seq }));
}

function retold(event: DeliveredEvent, input: number): DeliveredEvent {
  if (event.kind === 'TOOL_CALL_END')
    return { ...event, toolCallId: `${event.toolCallId}_${input}`, output: outputOf(++made) };
  if (event.kind === 'TOOL_CALL_START') return { ...event, toolCallId: `${event.toolCallId}_${input}` };
  if (event.kind !== 'ASSISTANT_MESSAGE') return event;
  const content = event.content.map((part) =>
    part.kind === 'TOOL_CALL' ? { ...part, toolCallId: `${part.toolCallId}_${input}` } : part,
  );
  return { ...event, content };
}

function outputOf(number: number): string {
  return `${number} of many lines\n`.repeat(number % Number(every) === 0 ? Number(bytes) / 20 : 5);
}

function fold(): void {
  // The program's own memory does not count towards the fold.
  const loadedMb = process.memoryUsage.rss() / 2 ** 20;
  const journal = openJournal(file);
  const started = performance.now();
  const before = process.cpuUsage();
  const { view, lastSeq } = replay(journal.outline?.() ?? [], {});
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  journal.close();
  const peakMb = peakSize() / 2 ** 20 - loadedMb;
  process.stdout.write(
    JSON.stringify({
      events: lastSeq,
      turns: view.turns.length,
      ms: Math.round(ms),
      cpuMs: (user + system) / 1_000,
      peakMb,
    }),
  );
}
