import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseScript, type RecordedRequest, startSimulator } from '@attractor/simulator';
import { onTestFinished } from 'vitest';
import { attractorHere } from './attractor-here.ts';
import { type Ended, makeFolder, type Running, startAttractor } from './attractor.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type World = {
  readonly folder: string;
  readonly home: string;
  readonly requests: () => ReadonlyArray<RecordedRequest>;
  readonly args: (...flags: ReadonlyArray<string>) => ReadonlyArray<string>;
  /** In this process; what a process of its own does is proved with `open`, and with `args`. */
  readonly ask: (flags: ReadonlyArray<string>, stdin?: string) => Promise<Ended>;
  /** With a stdin that stays open. */
  readonly open: (flags: ReadonlyArray<string>) => Running;
};

/** A folder with two lines in it, and a model that follows the script. */
export async function makeWorld(
  turns: ReadonlyArray<unknown>,
  provider: 'anthropic' | 'openai' | 'gemini' = 'anthropic',
): Promise<World> {
  const parsed = parseScript({ turns });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const home = makeFolder();
  const folder = makeFolder();
  writeFileSync(path.join(folder, 'notes.txt'), 'one\ntwo\n');
  const model = { anthropic: 'claude-sonnet-4-5-20250929', openai: 'gpt-5', gemini: 'gemini-2.5-pro' }[provider];
  const args = (...flags: ReadonlyArray<string>) => [
    // A command comes before all flags.
    ...flags.filter((flag, at) => at === 0 && flag === 'resume'),
    '--provider',
    provider,
    '--model',
    model,
    '--base-url',
    simulator.baseUrls[provider],
    // The same on machines that have no sandbox; `headless-sandbox.test.ts` shows what it does.
    '--allow-unsandboxed',
    ...flags.filter((flag, at) => at !== 0 || flag !== 'resume'),
  ];
  const env = { ANTHROPIC_API_KEY: 'none', OPENAI_API_KEY: 'none', GEMINI_API_KEY: 'none' };
  return {
    home,
    folder,
    requests: () => simulator.requests(),
    args,
    ask: (flags, stdin) =>
      attractorHere(args(...flags), { home, cwd: folder, env, ...(stdin === undefined ? {} : { stdin }) }),
    open: (flags) => startAttractor(args(...flags), { home, cwd: folder, env, stdin: null }),
  };
}

export function linesOf(ended: Ended): ReadonlyArray<Fields> {
  return ended.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Fields);
}
