/** One process: writes a large session, or reads it in one of three ways and prints the cost. */
import { createReadStream, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createLocalExecutionEnvironment, createProfile, resumeSession } from '@attractor/agent';
import { peakSize } from '@attractor/base/testing/peak-size';
import { type HeldSession, openSessions } from '@attractor/journal';

import { createClient } from '@attractor/llm';

/** Rounds of one call each; one output in `every` is large. */
export type Shape = { readonly rounds: number; readonly outputBytes: number; readonly every: number };

const ID = 'ses_large';
const WAYS: Readonly<Record<string, (home: string) => Promise<void> | void>> = { bare, resume, list };

if (import.meta.main) await main(process.argv.slice(2));

async function main([order = '', home = '', shape = '{}']: ReadonlyArray<string>): Promise<void> {
  if (order === 'write') {
    write(home, JSON.parse(shape));
    console.log('{}');
    return;
  }
  const before = process.cpuUsage();
  const started = performance.now();
  await WAYS[order]?.(home);
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const peakMb = peakSize() / 2 ** 20;
  console.log(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, peakMb }));
}

async function bare(home: string): Promise<void> {
  const folder = join(home, 'sessions', ID);
  let kinds = 0;
  for await (const line of createInterface({ input: createReadStream(join(folder, 'journal.jsonl')) })) {
    const { event }: { readonly event: { readonly kind: string } } = JSON.parse(line);
    kinds += event.kind.length;
  }
  for (const name of readdirSync(folder).includes('blobs') ? readdirSync(join(folder, 'blobs')) : []) {
    kinds += readFileSync(join(folder, 'blobs', name), 'utf8').length;
  }
  if (kinds === 0) throw new Error('nothing was read');
}

async function resume(home: string): Promise<void> {
  const held = openSessions({ home }).open(ID);
  if (!held.ok) throw new Error(held.error.message);
  const session = resumeSession({
    profile: createProfile('anthropic'),
    environment: createLocalExecutionEnvironment(home),
    client: createClient({
      configuration: { providers: { anthropic: { apiKey: 'none', baseUrl: 'http://127.0.0.1:9' } } },
    }),
    config: { provider: 'anthropic', model: 'scripted', workingDirectory: home },
    journal: held.value.journal,
  });
  if (session.history().length === 0) throw new Error('nothing was resumed');
  await session.close();
}

function list(home: string): void {
  rmSync(join(home, 'sessions', ID, 'meta.json'), { force: true });
  const [summary] = openSessions({ home }).list();
  if (summary === undefined || summary.turns === 0) throw new Error('nothing was listed');
}

function write(home: string, { rounds, outputBytes, every }: Shape): void {
  const held = openSessions({ home }).create({ cwd: home, sessionId: ID });
  if (!held.ok) throw new Error(held.error.message);
  const append = appenderTo(held.value);
  append({ kind: 'SESSION_START', sessionId: ID });
  append({ kind: 'USER_INPUT', content: 'Go on until I say stop.' });
  for (let round = 1; round <= rounds; round += 1) {
    const call = { toolCallId: `call_${round}`, toolName: 'shell', args: { command: `make part-${round}` } };
    const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };
    const content = [
      { kind: 'TEXT', text: 'On it.' },
      { kind: 'TOOL_CALL', ...call },
    ];
    append({ kind: 'ASSISTANT_MESSAGE', content, usage, responseId: `r${round}`, model: 'scripted' });
    append({ kind: 'TOOL_CALL_START', ...call });
    const line = `part ${round}: all work and no play makes "Jack" a dull boy\n`;
    const output = line.repeat(round % every === 0 ? outputBytes / line.length : 3);
    append({ kind: 'TOOL_CALL_END', toolCallId: call.toolCallId, toolName: 'shell', output, isError: false });
  }
  append({ kind: 'PROCESSING_END' });
  held.value.journal.close();
}

type Said = Parameters<HeldSession['journal']['appendRecord']>[0]['event'];

function appenderTo({ journal }: HeldSession): (event: Said) => void {
  let seq = 0;
  return (event) => {
    seq += 1;
    journal.appendRecord({ v: 1, seq, at: new Date(seq).toISOString(), event });
  };
}
