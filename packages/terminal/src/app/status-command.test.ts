import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { NO_TALLY, type Tally } from '../conversation/tally.ts';
import type { Acts, Loaded } from '../converse/world.ts';
import { makePlace, openApp } from '../test-support/app-world.ts';
import { colouredLine } from '../themes/coloured-line.ts';
import type { Line } from '../themes/line.ts';
import { createStatusCommand } from './status-command.ts';

type Given = { readonly answer?: () => Promise<string>; readonly tally?: Partial<Tally>; readonly session?: string };

const PAUSE_MS = 300;

/** The status line of a conversation, with a clock of our own; what the command was told, and what is shown. */
async function statusWith({ answer = async () => 'line', tally = {}, session }: Given = {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const told: Array<Record<string, unknown>> = [];
  const world: { status: ReadonlyArray<Line> | null; editing: { vi: null } } = { status: null, editing: { vi: null } };
  let drawn = 0;
  const port = {
    statusLine: async (input: string) => {
      told.push(JSON.parse(input));
      return answer();
    },
    model: 'claude-sonnet-4-5',
    mode: 'default',
    models: [{ name: 'claude-sonnet-4-5', description: 'Sonnet 4.5' }],
    windowOf: () => 1_000_000,
    version: '1.2.3',
    style: null,
    transcriptOf: (id: string) => `/journals/${id}`,
    apiMs: () => 12.4,
    repository: async () => ({ worktree: null, repo: null }),
  };
  const conversing = {
    id: () => session ?? null,
    wish: () => ({ folders: ['/more'], effort: 'high', mode: 'acceptEdits' }),
  };
  const loaded = { port, conversing, telling: { tally: () => ({ ...NO_TALLY, ...tally }) } } as unknown as Loaded;
  const acts = { world, screen: { touch: () => void (drawn += 1) }, folder: '/folder' } as unknown as Acts;
  const status = createStatusCommand(acts, loaded);
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { status, told, world, later, drawn: () => drawn };
}

it('its command is told what the conversation is, used and holds, in numbers', async () => {
  const usage = { inputTokens: 250_000, outputTokens: 500, totalTokens: 250_500 };
  const last = { ...usage, cacheReadTokens: 100_000, cacheWriteTokens: 50_000 };
  const tally = {
    usage: last,
    last,
    contextTokens: 250_500,
    cost: 0.25,
    answers: 2,
    answeredAt: Date.now(),
    title: 'A',
  };
  const { told, later } = await statusWith({ tally: { ...tally, lines: { added: 3, removed: 1 } }, session: 'ses_1' });
  await later(PAUSE_MS);
  expect(told).toMatchObject([
    {
      hook_event_name: 'Status',
      session_id: 'ses_1',
      transcript_path: '/journals/ses_1',
      session_name: 'A',
      cwd: '/folder',
      model: { id: 'claude-sonnet-4-5', display_name: 'Sonnet 4.5' },
      workspace: { current_dir: '/folder', project_dir: '/folder', added_dirs: ['/more'] },
      version: '1.2.3',
      output_style: { name: 'default' },
      permission_mode: 'acceptEdits',
      cost: {
        total_cost_usd: 0.25,
        total_duration_ms: PAUSE_MS,
        total_api_duration_ms: 12,
        total_lines_added: 3,
        total_lines_removed: 1,
      },
      context_window: {
        total_input_tokens: 250_000,
        total_output_tokens: 500,
        context_window_size: 1_000_000,
        current_usage: {
          input_tokens: 100_000,
          output_tokens: 500,
          cache_creation_input_tokens: 50_000,
          cache_read_input_tokens: 100_000,
        },
        used_percentage: 25,
        remaining_percentage: 75,
      },
      exceeds_200k_tokens: true,
      prompt_cache: { warm: true, ttl: '5m', requests: 2, hit_ratio: 0.4, cache_write_tokens: 50_000 },
      fast_mode: false,
      effort: { level: 'high' },
      thinking: { enabled: true },
    },
  ]);
  expect(told[0]).not.toHaveProperty('vim');
});

it('before a conversation it says so by empty values', async () => {
  const { told, later } = await statusWith();
  await later(PAUSE_MS);
  expect(told).toMatchObject([
    {
      session_id: '',
      transcript_path: '',
      cost: { total_cost_usd: 0 },
      context_window: { current_usage: null, used_percentage: 0, remaining_percentage: 100 },
      exceeds_200k_tokens: false,
    },
  ]);
  for (const field of ['session_name', 'prompt_cache']) expect(told[0]).not.toHaveProperty(field);
});

it('runs soon after a change, once for many, never twice at once, and not after the end', async () => {
  const answers: Array<PromiseWithResolvers<string>> = [];
  const answer = (): Promise<string> => {
    const next = Promise.withResolvers<string>();
    answers.push(next);
    return next.promise;
  };
  const { status, world, later, drawn } = await statusWith({ answer });
  await later(PAUSE_MS - 1);
  expect(answers).toHaveLength(0);
  await later(1);
  expect(answers).toHaveLength(1);
  for (let n = 0; n < 5; n += 1) status.changed();
  await later(10_000);
  expect([answers.length, world.status, drawn()]).toEqual([1, null, 0]);
  answers[0]?.resolve('one');
  await later(PAUSE_MS - 1);
  expect([answers.length, world.status, drawn()]).toEqual([1, [[{ text: 'one' }]], 1]);
  await later(1);
  expect(answers).toHaveLength(2);
  answers[1]?.resolve('');
  await later(10_000);
  expect([answers.length, world.status]).toEqual([2, []]);
  status.changed();
  status.stop();
  await later(10_000);
  expect(answers).toHaveLength(2);
});

it('of its output three lines are shown', async () => {
  const { world, later } = await statusWith({ answer: async () => 'a\n\nc\nd\ne\n' });
  await later(PAUSE_MS);
  expect(world.status).toEqual([[{ text: 'a' }], [], [{ text: 'c' }]]);
});

it.each<readonly [printed: string, line: Line]>([
  ['\u001B[31mbad\u001B[0m plain', [{ text: 'bad', role: 'bad' }, { text: ' plain' }]],
  ['\u001B[92mgood\u001B[39m plain', [{ text: 'good', role: 'good' }, { text: ' plain' }]],
  [
    '\u001B[1;33mloud\u001B[22m warm',
    [
      { text: 'loud', bold: true, role: 'warn' },
      { text: ' warm', role: 'warn' },
    ],
  ],
  ['\u001B[2mdim\u001B[22m plain', [{ text: 'dim', role: 'dim' }, { text: ' plain' }]],
  ['\u001B[3;4mboth\u001B[23;24m none', [{ text: 'both', italic: true, underline: true }, { text: ' none' }]],
  ['\u001B[38;5;2mgreen', [{ text: 'green', role: 'good' }]],
  ['\u001B[38;5;208morange', [{ text: 'orange', role: 'bad' }]],
  ['\u001B[38;5;245mgrey', [{ text: 'grey', role: 'plain' }]],
  ['\u001B[38;2;0;255;0mgreen', [{ text: 'green', role: 'good' }]],
  ['\u001B[1;48;5;1;32mon red', [{ text: 'on red', bold: true, role: 'good' }]],
  ['\u001B[44mon blue\u001B[m', [{ text: 'on blue' }]],
  ['\u001B]0;title\u0007\u001B[2J', [{ text: '\u001B]0;title\u0007\u001B[2J' }]],
])('its colours are shown, and all else that a terminal obeys is text: %j', (printed, line) => {
  expect(colouredLine(printed)).toEqual(line);
});

it('a command that fails says so in its place', async () => {
  const place = makePlace();
  const statusLine = { type: 'command', command: 'echo broken >&2; exit 3' };
  writeFileSync(path.join(place.home, 'config.json'), JSON.stringify({ statusLine }));
  const app = openApp([], { place });
  await app.sees('status line: exit 3 broken');
  expect(app.client.requests).toEqual([]);
  app.type('\u0004');
  await app.ended;
});
