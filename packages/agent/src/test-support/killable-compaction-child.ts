/* A program for tests: a session that must compact, on a journal in the given folder; it freezes at the given moment. */
import { existsSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Request } from '@attractor/llm';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { type Journal, openJournal } from '@attractor/journal';

import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { createSession, resumeSession } from '../session/session.ts';
import { call, createScriptedClient, type Reply } from '../testing/scripted-client.ts';

const STEPS = 6;

await main(process.argv[2] ?? '', process.argv[3] ?? '');

/** `moment`: before, during, unsynced or after; anything else: it runs to its end. */
async function main(root: string, moment: string): Promise<void> {
  const file = path.join(root, 'state', 'session.jsonl');
  const isNew = !existsSync(file);
  const journal = standingStill(openJournal(file), moment);
  const options = {
    profile: createAnthropicProfile(),
    environment: createLocalExecutionEnvironment(root),
    client: createScriptedClient((request) => replyTo(request, root, moment)),
    config: { model: 'scripted', provider: 'scripted', contextWindowSize: 20_000, loopDetectionWindow: 0 },
    compaction: {},
    journal,
  };
  const session = isNew ? createSession(options) : resumeSession(options);
  await session.resume();
  if (session.history().length === 0) await session.submit('do the steps; never touch legal.txt');
  await session.close();
}

function standStill(moment: string): void {
  writeSync(1, `${moment}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** COMPACTED is synced: what is appended before that may be lost, what is synced may not. */
function standingStill(journal: Journal, moment: string): Journal {
  let last = '';
  return {
    ...journal,
    append: (event) => {
      journal.append(event);
      last = event.kind;
    },
    sync: () => {
      if (last === 'COMPACTED' && moment === 'unsynced') standStill(moment);
      journal.sync();
      if (last === 'COMPACTED' && moment === 'after') standStill(moment);
    },
  };
}

function replyTo(request: Request, root: string, moment: string): Reply {
  const body = JSON.stringify(request.messages);
  const inputTokens = Math.ceil(body.length / 4);
  const usage = { inputTokens, outputTokens: 1, totalTokens: inputTokens + 1 };
  if (body.includes('You write the summary')) {
    if (moment === 'before') standStill(moment);
    if (moment === 'during') {
      setInterval(() => writeSync(1, 'during\n'), 100);
      return { text: 'Half a summary', hangs: true };
    }
    return { text: 'The steps are under way.', usage };
  }
  writeFileSync(path.join(root, 'last-request.json'), body);
  const done = Number(/.*step-(\d+) is done/s.exec(body)?.[1] ?? -1) + 1;
  if (done >= STEPS) return { text: 'All done.', usage };
  const command = `echo step-${done} >> effects; head -c 20000 /dev/zero | tr '\\0' x; echo step-${done} is done`;
  return { text: 'Next.', calls: [call('shell', { command }, `step-${done}`)], usage };
}
