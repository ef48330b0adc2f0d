import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptedClient, type Script, type ScriptedClient } from '@attractor/agent/testing';
import { readSetup } from '@attractor/settings';
import { runTerminalApp } from '../app/terminal-app.ts';
import type { Start } from '../app/start.ts';
import type { AgentPort } from '../converse/agent-port.ts';
import { createLocalAgent } from '../local-agent.ts';
import { createEmulator, type Emulator } from './emulator.ts';

export type Place = { readonly home: string; readonly folder: string };

/** The app on a terminal without a window, with a scripted model and everything else as it is. */
export type AppWorld = Place & {
  readonly emulator: Emulator;
  readonly client: ScriptedClient;
  readonly type: (text: string) => void;
  readonly screen: () => string;
  /** Waits until the screen shows it; each time for one more of it. */
  readonly sees: (text: string) => Promise<void>;
  /** Waits until the screen does not show it any more. */
  readonly gone: (text: string) => Promise<void>;
  /** A question takes keys only once a person has had time to see it. */
  readonly answer: (keys: string) => Promise<void>;
  readonly ended: Promise<number>;
  readonly resize: (columns: number, rows: number) => void;
};

export function makePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'terminal-work-'));
  writeFileSync(join(folder, 'sum.js'), 'export const sum = (a, b) => a - b;\n');
  return { folder, home: mkdtempSync(join(tmpdir(), 'terminal-home-')) };
}

/** The agent as the command has it, with a scripted model. */
export async function agentIn({ home, folder }: Place, client: ScriptedClient): Promise<AgentPort> {
  const setup = await readSetup({ home, userHome: home, env: {}, folder });
  const confined = { ok: true, sandbox: null, notice: null } as const;
  const about = { home, folder, version: 'test', setup, client, confined, mode: setup.mode };
  const program = ['/bin/echo', 'attractor'];
  return createLocalAgent({ ...about, provider: 'anthropic', model: 'claude-sonnet-4-5', variables: {}, program });
}

export type WorldOptions = {
  readonly place?: Place;
  readonly start?: Start;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What the terminal shows already. */
  readonly before?: string;
  /** Instead of an agent: what loading it throws. */
  readonly refusal?: Error;
};

const PAUSE_MS = 450;

export function openApp(script: Script, options: WorldOptions = {}): AppWorld {
  const { place = makePlace(), start = {}, columns = 80, rows = 30, env = { TERM: 'xterm-256color' } } = options;
  const { home, folder } = place;
  const emulator = createEmulator(columns, rows);
  if (options.before !== undefined) void emulator.write(options.before);
  const client = createScriptedClient(script);
  let hear: (bytes: Uint8Array) => void = () => undefined;
  let resized: () => void = () => undefined;
  const load = async (): Promise<AgentPort> => {
    if (options.refusal !== undefined) throw options.refusal;
    return agentIn(place, client);
  };
  const ended = runTerminalApp({
    tty: {
      output: emulator.output,
      size: emulator.size,
      setRaw: () => undefined,
      onBytes: (listener) => {
        hear = listener;
        return () => undefined;
      },
      onResize: (listener) => {
        resized = listener;
        return () => undefined;
      },
      onEnd: () => undefined,
      guard: (_bytes, ready) => {
        ready();
        return () => undefined;
      },
      suspend: () => undefined,
    },
    env,
    home,
    folder,
    start,
    isStill: true,
    load,
    editText: async (text) => `${text} (edited)`,
  });
  const screen = (): string => emulator.lines().join('\n');
  const seen = new Map<string, number>();
  const type = (text: string): void => hear(Buffer.from(text));
  return {
    ...place,
    emulator,
    client,
    type,
    screen,
    sees: async (text) => {
      const times = (seen.get(text) ?? 0) + 1;
      seen.set(text, times);
      for (let tries = 0; screen().split(text).length <= times; tries += 1) {
        if (tries > 2_000) throw new Error(`never showed ${JSON.stringify(text)} (${times}):\n${screen()}`);
        await pause(10);
      }
    },
    gone: async (text) => {
      for (let tries = 0; screen().includes(text); tries += 1) {
        if (tries > 2_000) throw new Error(`still shows ${JSON.stringify(text)}:\n${screen()}`);
        await pause(10);
      }
    },
    answer: async (keys) => {
      await pause(PAUSE_MS);
      type(keys);
    },
    ended,
    resize: (nextColumns, nextRows) => {
      emulator.resize(nextColumns, nextRows);
      resized();
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
