/** The terminal app through a pty: how soon it takes a key, and what a long answer costs. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../measuring/model-server.ts';
import { median } from '../measuring/rounds.ts';
import { openPty, type Pty } from './pty.ts';

const ROUNDS = 15;
const LINES = 2_000;
const attractor = join(import.meta.dirname, '../../packages/cli/dist/attractor.js');
const bare = join(import.meta.dirname, 'bare.mjs');

if (!existsSync(attractor)) {
  console.error('The command is not built. Run `npm run build` first.');
  process.exit(1);
}

const home = await mkdtemp(join(tmpdir(), 'attractor-bench-'));
const env = {
  HOME: home,
  PATH: '/usr/bin:/bin',
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  ANTHROPIC_API_KEY: 'sk-bench',
};
const missed: string[] = [];

try {
  await measureStart();
  await measureAnswer('plain', { line: plainLine, mostCpuMs: 60, mostBytes: 1.3 });
  await measureAnswer('markdown', { line: markdownLine, mostCpuMs: 300 });
} finally {
  await rm(home, { recursive: true, force: true });
}
console.log(missed.length === 0 ? '\nEvery goal is met.' : `\nMissed: ${missed.join('; ')}`);
if (missed.length > 0) process.exitCode = 1;

/** From spawn to a key that is echoed; the key is typed before the program is there. */
async function measureStart(): Promise<void> {
  const programs = { bare: [process.execPath, bare], attractor: [process.execPath, attractor] };
  const times = { bare: new Array<number>(), attractor: new Array<number>() };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const name of ['bare', 'attractor'] as const) {
      const pty = openPty({ argv: programs[name], cwd: await newFolder(), env });
      await pty.saw('› ');
      const from = pty.written().length;
      pty.type('Q');
      const at = await pty.saw('Q', from);
      if (round > 0) times[name].push(at - pty.startedAt);
      await pty.end();
    }
  const [floor, ours] = [median(times.bare), median(times.attractor)];
  say('spawn to an echoed key', `${floor.toFixed(0)} → ${ours.toFixed(0)} ms, ×${(ours / floor).toFixed(2)}`);
  judge('start', ours / floor, 1.5);
}

type Answer = { readonly line: (at: number) => string; readonly mostCpuMs: number; readonly mostBytes?: number };

/** One answer of some thousand lines, a thousand a second, while a person types. */
async function measureAnswer(name: string, { line, mostCpuMs, mostBytes }: Answer): Promise<void> {
  const text = Array.from({ length: LINES }, (_, at) => line(at)).join('');
  const model = await startModelServer({ text: `${text}\n\nTHE END.`, chunkSize: line(0).length, eventDelayMs: 1 });
  const flags = ['--model', 'claude-sonnet-4-5', '--base-url', model.baseUrl, '--allow-unsandboxed'];
  const pty = openPty({ argv: [process.execPath, attractor, ...flags], cwd: await newFolder(), env });
  try {
    await pty.saw('/ commands');
    const [idleMb, idleMs, from] = [pty.memoryMb(), pty.cpuMs(), pty.written().length];
    pty.type('begin\r');
    await pty.saw('000', from);
    const keys = await typeMeanwhile(pty);
    await pty.saw('THE END.');
    const cpu = ((pty.cpuMs() - idleMs) * 1_000) / LINES;
    const bytes = (pty.written().length - from) / text.length;
    const sorted = keys.toSorted((one, other) => one - other);
    const [half, most] = [median(keys), sorted[Math.floor(sorted.length * 0.95)] ?? 0];
    say(`${name}: CPU for 1,000 lines`, `${cpu.toFixed(0)} ms (at most ${mostCpuMs})`);
    judge(`${name} CPU`, cpu, mostCpuMs);
    say(`${name}: bytes for a byte of text`, bytes.toFixed(2));
    if (mostBytes !== undefined) judge(`${name} bytes`, bytes, mostBytes);
    say(`${name}: key to echo, p50/p95 of ${keys.length}`, `${half.toFixed(1)}/${most.toFixed(1)} ms (at most 2/10)`);
    judge(`${name} key p50`, half, 2);
    judge(`${name} key p95`, most, 10);
    say(`${name}: memory`, `${idleMb.toFixed(0)} → ${pty.memoryMb().toFixed(0)} MB (at most 15 more)`);
    judge(`${name} memory`, pty.memoryMb() - idleMb, 15);
  } finally {
    await pty.end();
    model.stop();
  }
}

/** What was typed in a folder when a program was killed would be there again. */
function newFolder(): Promise<string> {
  return mkdtemp(join(home, 'work-'));
}

async function typeMeanwhile(pty: Pty): Promise<ReadonlyArray<number>> {
  const times: number[] = [];
  let typed = '';
  while (!pty.written().includes('THE END.') && typed.length < 60) {
    const key = String.fromCharCode(97 + (typed.length % 26));
    typed += key;
    const from = pty.written().length;
    const began = performance.now();
    pty.type(key);
    times.push((await pty.saw(typed, from)) - began);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return times;
}

function plainLine(at: number): string {
  return `Line ${String(at).padStart(6, '0')} of an answer in plain words.\n\n`;
}

function markdownLine(at: number): string {
  return `- item ${String(at).padStart(6, '0')} with **bold**, \`code\` and words\n`;
}

function say(what: string, value: string): void {
  console.log(`  ${what.padEnd(44)} ${value}`);
}

function judge(what: string, value: number, most: number): void {
  if (value > most) missed.push(`${what} ${value.toFixed(2)} of ${most}`);
}
