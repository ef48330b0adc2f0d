import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import xterm from '@xterm/headless';
import { installedProgram } from '../../tests/walks/foreign-programs.ts';
import { type ModelServer, startModelServer } from '../measuring/model-server.ts';
import { tellKeys } from './answer.ts';
import { row } from './goals.ts';
import { answerOf, THE_END } from './lines.ts';
import { ENV, newFolder } from './place.ts';
import { openPty, type Pty } from './pty.ts';

const LINES = 2_000;
const KEYS = 40;
/** Some take a minute for the same answer on a busy machine. */
const DEADLINE_MS = 240_000;

type Started = { readonly argv: ReadonlyArray<string>; readonly env: Readonly<Record<string, string>> };

/** `prompt`: shown once it takes keys. */
type Peer = {
  readonly installed: () => ReturnType<typeof installedProgram>;
  readonly prompt: string;
  readonly start: (file: string, folder: string, model: ModelServer) => Started;
};

const PEERS: Readonly<Record<string, Peer>> = {
  codex: {
    installed: () => installedProgram('codex'),
    prompt: '›',
    start: (file, folder, { baseUrls }) => {
      const home = join(folder, 'home');
      mkdirSync(join(home, '.codex'), { recursive: true });
      const config = `model = "gpt-5"
model_provider = "here"
approval_policy = "never"
check_for_update_on_startup = false
[model_providers.here]
name = "here"
base_url = "${baseUrls.openai}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
[projects."${folder}"]
trust_level = "trusted"
`;
      writeFileSync(join(home, '.codex', 'config.toml'), config);
      return { argv: [process.execPath, file, '--no-alt-screen'], env: { HOME: home, OPENAI_API_KEY: 'sk-none' } };
    },
  },
  'Claude Code': {
    installed: () => installedProgram('claude-code'),
    prompt: '❯',
    start: (file, folder, { baseUrl }) => {
      const home = join(folder, 'home');
      mkdirSync(join(home, '.claude'), { recursive: true });
      const key = 'sk-ant-none-none-none-none';
      const known = {
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
        projects: { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      };
      writeFileSync(join(home, '.claude.json'), JSON.stringify(known));
      const env = { HOME: home, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: baseUrl, DISABLE_AUTOUPDATER: '1' };
      return { argv: [file], env: { ...env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' } };
    },
  },
  pi: {
    installed: () => installedProgram('pi'),
    prompt: 'claude-sonnet-4-5',
    start: (file, folder, { baseUrl }) => {
      const home = join(folder, 'home');
      const agent = join(home, '.pi', 'agent');
      mkdirSync(agent, { recursive: true });
      const models = [{ id: 'claude-sonnet-4-5', contextWindow: 200_000, maxTokens: 64_000 }];
      const here = { baseUrl, api: 'anthropic-messages', apiKey: 'none', models };
      writeFileSync(join(agent, 'models.json'), JSON.stringify({ providers: { here } }));
      const env = { HOME: home, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: '1', PI_TELEMETRY: '0' };
      return { argv: [process.execPath, file, '--provider', 'here', '--model', 'claude-sonnet-4-5'], env };
    },
  },
};

/** Others on the same terminal with the same answer, those that are at hand. No goal is theirs. */
export async function measurePeers(): Promise<void> {
  const model = await startModelServer({
    text: answerOf(LINES, 'markdown').join(''),
    chunkSize: 50,
    eventDelayMs: 1,
  });
  try {
    for (const [name, peer] of Object.entries(PEERS)) {
      const found = await peer.installed();
      if ('missing' in found) row(name, `not installed: ${found.missing}`);
      else
        await measurePeer(name, peer, { file: found.file, model }).catch((error: unknown) =>
          row(name, String(error).slice(0, 600)),
        );
    }
  } finally {
    model.stop();
  }
}

type Means = { readonly file: string; readonly model: ModelServer };

async function measurePeer(name: string, { prompt, start }: Peer, { file, model }: Means): Promise<void> {
  const cwd = await newFolder();
  const { argv, env } = start(file, cwd, model);
  const pty = openPty({ argv, cwd, env: { PATH: ENV.PATH, TERM: ENV.TERM, LANG: ENV.LANG, ...env } });
  const screen = screenOf(pty);
  try {
    const shownAt = await screen.shows(prompt);
    row(`${name}: spawn to its prompt`, `${(shownAt - pty.startedAt).toFixed(0)} ms`);
    await delay(2_000);
    const idleMb = pty.memoryMb();
    pty.type('begin');
    await screen.shows('begin');
    pty.type('\r');
    await screen.shows('0000');
    const idleMs = pty.cpuMs();
    const keys = await typeInto(pty, screen);
    await screen.shows(THE_END);
    row(`${name}: CPU for 1,000 lines, markdown`, `${(((pty.cpuMs() - idleMs) * 1_000) / LINES).toFixed(0)} ms`);
    tellKeys(name, keys);
    row(`${name}: memory`, `${idleMb.toFixed(0)} → ${pty.memoryMb().toFixed(0)} MB`);
  } finally {
    await pty.end();
  }
}

type Screen = {
  readonly shows: (text: string) => Promise<number>;
  readonly isShown: (text: string) => Promise<boolean>;
};

/** What a person would see: programs write only the cells that change. */
function screenOf(pty: Pty): Screen {
  const terminal = new xterm.Terminal({ cols: 120, rows: 40, allowProposedApi: true, scrollback: 0 });
  terminal.onData((reply) => pty.type(reply));
  let fed = 0;
  const isShown = async (text: string): Promise<boolean> => {
    const written = pty.written();
    const news = written.slice(fed);
    fed = written.length;
    if (news !== '') await new Promise<void>((resolve) => terminal.write(news, resolve));
    const { active } = terminal.buffer;
    return Array.from({ length: 40 }, (_, at) => active.getLine(active.baseY + at)?.translateToString(true) ?? '').some(
      (line) => line.includes(text),
    );
  };
  const shows = async (text: string): Promise<number> => {
    for (const until = performance.now() + DEADLINE_MS; performance.now() < until; await delay(1))
      if (await isShown(text)) return performance.now();
    throw new Error(`never showed ${text}, but ${JSON.stringify(pty.written().slice(-300))}`);
  };
  return { shows, isShown };
}

async function typeInto(pty: Pty, screen: Screen): Promise<ReadonlyArray<number>> {
  const times: number[] = [];
  let typed = '';
  while (typed.length < KEYS && !(await screen.isShown(THE_END))) {
    typed += String.fromCharCode(97 + (typed.length % 26));
    const began = performance.now();
    pty.type(typed.slice(-1));
    times.push((await screen.shows(typed.slice(-20))) - began);
    await delay(20);
  }
  return times;
}
