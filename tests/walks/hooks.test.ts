import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { examineTrust, trustRepository } from '@attractor/settings';
import type { RecordedRequest } from '@attractor/simulator';
import { describe, expect, test } from 'vitest';
import type { Ended } from './attractor.ts';
import { makeWorld as makeHeadlessWorld } from './headless-world.ts';

type World = {
  readonly folder: string;
  readonly home: string;
  readonly sent: () => string;
  readonly requests: () => ReadonlyArray<RecordedRequest>;
  readonly ask: (...flags: ReadonlyArray<string>) => Promise<Ended>;
  readonly write: (file: string, value: unknown) => void;
};

async function makeWorld(turns: ReadonlyArray<unknown>): Promise<World> {
  const { home, folder, requests, ask } = await makeHeadlessWorld(turns);
  return {
    home,
    folder,
    requests,
    sent: () => JSON.stringify(requests().at(-1)),
    ask: (...flags) => ask(flags),
    write: (file, value) => {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(value));
    },
  };
}

const runs = (command: string, matcher?: string): object => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command }],
});

describe('hooks of attractor -p', () => {
  test("a person's hooks run, from the first to the last, and stream-json tells of each", async () => {
    const world = await makeWorld([
      { toolCalls: [{ use: 'read', path: 'notes.txt' }] },
      { expect: { toolResult: 'notes are private' }, text: 'Then not.' },
    ]);
    const log = (event: string): object => runs(`cat >/dev/null; echo ${event} >> "$CLAUDE_PROJECT_DIR/log"`);
    world.write(path.join(world.home, '.claude/settings.json'), {
      hooks: {
        SessionStart: [log('SessionStart'), runs('echo "the build is broken"')],
        PreToolUse: [runs('echo "notes are private" >&2; exit 2', 'Read')],
        Stop: [log('Stop')],
        SessionEnd: [log('SessionEnd')],
      },
    });
    const ended = await world.ask('-p', 'Read it.', '--output-format', 'stream-json');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(world.sent()).toContain('the build is broken');
    expect(world.sent()).toContain('notes are private');
    expect(readFileSync(path.join(world.folder, 'log'), 'utf8')).toBe('SessionStart\nStop\nSessionEnd\n');
    const lines = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const ofHooks = lines.filter(({ subtype }) => String(subtype).startsWith('hook_'));
    expect(ofHooks.map(({ subtype, hook_event: event }) => `${String(subtype)} ${String(event)}`)).toContain(
      'hook_response PreToolUse',
    );
    expect(
      ofHooks.find(({ hook_event: event, exit_code: code }) => event === 'PreToolUse' && code === 2),
    ).toMatchObject({
      stderr: 'notes are private',
      hook_name: 'echo "notes are private" >&2; exit 2',
    });
    expect(lines.at(-1)).toMatchObject({ type: 'result', result: 'Then not.' });
  });

  test('those of a repository run only once it is trusted, and not after they changed', async () => {
    const world = await makeWorld([{ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'four' }]);
    const settings = path.join(world.folder, '.claude/settings.json');
    const marker = path.join(world.folder, 'marker');
    const hooks = (command: string): object => ({
      hooks: { SessionStart: [runs(command)], SessionEnd: [runs(command)] },
    });
    world.write(settings, hooks('touch marker; echo "from the repository"'));
    const attractorHome = path.join(world.home, '.attractor');
    expect(await world.ask('-p', 'Hello.')).toMatchObject({ code: 0 });
    expect(await world.ask('-p', 'Hello.', '--continue')).toMatchObject({ code: 0 });
    expect(existsSync(marker)).toBe(false);
    expect(world.sent()).not.toContain('from the repository');
    const trusted = await trustRepository(examineTrust(world.folder, { home: attractorHome }), { home: attractorHome });
    expect(trusted.ok).toBe(true);
    expect(await world.ask('-p', 'Hello.')).toMatchObject({ code: 0 });
    expect(existsSync(marker)).toBe(true);
    expect(world.sent()).toContain('from the repository');
    world.write(settings, hooks('touch changed'));
    await world.ask('-p', 'Hello.');
    expect(existsSync(path.join(world.folder, 'changed'))).toBe(false);
  });

  test('a matcher that is no expression, and a prompt that a hook refuses, end the run with one line', async () => {
    const world = await makeWorld([{ text: 'never' }]);
    const settings = path.join(world.home, '.claude/settings.json');
    world.write(settings, { hooks: { PreToolUse: [runs('true', 'Bash(')] } });
    const broken = await world.ask('-p', 'Hello.');
    expect(broken.code).not.toBe(0);
    expect(broken.stderr).toContain(`${settings}:1: hooks.PreToolUse: the matcher "Bash(" is not a regular expression`);
    world.write(settings, { hooks: { UserPromptSubmit: [runs('echo "not today" >&2; exit 2')] } });
    const refused = await world.ask('-p', 'Hello.');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toBe('attractor: A hook refused the input: not today\n');
    expect(world.requests()).toHaveLength(0);
  });

  test('work that a hook stops is no success: the result and the exit code say so', async () => {
    const turns = [{ text: 'Look:', toolCalls: [{ use: 'read', path: 'notes.txt' }] }, { text: 'never' }];
    const world = await makeWorld(turns);
    world.write(path.join(world.home, '.claude/settings.json'), {
      hooks: { PreToolUse: [runs(`echo '{"continue":false,"stopReason":"enough"}'`)] },
    });
    const text = await world.ask('-p', 'Read it.');
    expect(text).toMatchObject({ code: 1, stdout: '', stderr: 'attractor: A hook stopped the work: enough\n' });
    const line = await world.ask('-p', 'Read it.', '--output-format', 'json');
    expect([line.code, JSON.parse(line.stdout)]).toMatchObject([
      1,
      {
        subtype: 'error_during_execution',
        terminal_reason: 'hook_stopped',
        errors: ['A hook stopped the work: enough'],
      },
    ]);
    expect(world.requests()).toHaveLength(2);
  });
});
