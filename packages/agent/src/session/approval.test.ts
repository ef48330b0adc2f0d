import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defined } from '@attractor/base';
import { createMemoryJournal, type Journal } from '@attractor/journal';

import { type ApprovalAnswer, contentHash, livePolicy, type Policy, readShown, ruleFilesOf } from '@attractor/policy';
import { type Lists, policyOf } from '@attractor/policy/testing';
import { call, createScriptedClient, type Reply } from '../testing/scripted-client.ts';
import { makeSession, settle, type WorldOptions } from '../test-support/session-world.ts';
import { makeFolder } from '@attractor/base/testing';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createSession, resumeSession } from './session.ts';
import type { Approve, SessionOptions } from '../contract/session.ts';

type Asked = Parameters<Approve>[0];

const DONE: Reply = { text: 'done' };
const writes = (file: string, content = 'x', id = 'a'): Reply => ({
  calls: [call('write_file', { file_path: file, content }, id)],
});
const runs = (command: string, id = 'a'): Reply => ({ calls: [call('shell', { command }, id)] });

type Given = {
  readonly lists?: Lists;
  readonly answers?: ReadonlyArray<ApprovalAnswer>;
  readonly files?: WorldOptions['files'];
} & Partial<Pick<SessionOptions, 'ruleFiles' | 'journal'>> & {
    readonly mode?: Policy['mode'];
    readonly onAsk?: (request: Asked) => void;
  };

/** A session in a folder of its own, under a policy, with a person who gives these answers in order. */
function makeWorld(replies: ReadonlyArray<Reply>, given: Given = {}) {
  const root = makeFolder(given.files);
  const asked: Asked[] = [];
  const live = livePolicy(policyOf(given.lists ?? {}, { root, mode: given.mode ?? 'default' }));
  const world = makeSession(replies);
  const person = async (request: Asked): Promise<ApprovalAnswer> => {
    asked.push(request);
    given.onAsk?.(request);
    return given.answers?.[asked.length - 1] ?? { decision: 'reject', message: 'no more answers' };
  };
  const client = createScriptedClient(replies);
  const options: SessionOptions = {
    ...world.options,
    journal: given.journal ?? createMemoryJournal(),
    client,
    environment: createLocalExecutionEnvironment(root),
    policy: live,
    ...defined({ ruleFiles: given.ruleFiles }),
    ...(given.answers === undefined ? {} : { approve: person }),
  };
  const session = createSession(options);
  const outputs = (): ReadonlyArray<string> =>
    session.history().flatMap((turn) => (turn.kind === 'tool_results' ? turn.results.map(({ output }) => output) : []));
  const kinds = (): ReadonlyArray<string> => (options.journal as Journal).read().map(({ event }) => event.kind);
  return {
    root,
    session,
    asked,
    live,
    options,
    client,
    outputs,
    kinds,
    has: (file: string) => existsSync(path.join(root, file)),
  };
}

describe('a session under a policy', () => {
  it('judges every call, reads too, and goes on after a denied one with the reason', async () => {
    const world = makeWorld(
      [
        {
          calls: [
            call('read_file', { file_path: '.env' }, 'r'),
            call('write_file', { file_path: 'b.txt', content: 'x' }, 'w'),
          ],
        },
        DONE,
      ],
      { lists: { deny: ['Read(.env)'] }, mode: 'acceptEdits', files: { '.env': 'KEY=secret' } },
    );
    await world.session.submit('go');
    expect(world.outputs()[0]).toBe(
      'Denied: read_file: .env: denied by the deny rule Read(.env) of /settings/deny.json:1. Go on without it, or say what you would need.',
    );
    expect(world.has('b.txt')).toBe(true);
    expect(world.kinds()).toContain('PERMISSION_DENIED');
    expect(world.session.state()).toBe('IDLE');
  });

  it('T28: writes no mask over the secret that it stands for, and lets it be looked for', async () => {
    const masked = '[redacted:known-secret]';
    const calls = [
      call('write_file', { file_path: 'a.txt', content: `key=${masked}` }, 'w'),
      call('grep', { pattern: 'redacted:known-secret', path: '.' }, 'g'),
    ];
    const world = makeWorld([{ calls }, DONE], { mode: 'acceptEdits', files: { 'b.txt': masked } });
    await world.session.submit('go');
    expect(world.outputs()[0]).toMatch(/^Not run: the arguments hold a mask/);
    expect(world.outputs()[1]).toContain('b.txt');
    expect(world.has('a.txt')).toBe(false);
  });

  it('shows a file that is written anew as a change of the one that is there, unless that may not be read', async () => {
    const files = { 'a.txt': 'one\ntwo\n', 'b.env': 'KEY=1\n' };
    const world = makeWorld([writes('a.txt', 'one\n2\n'), writes('b.env', 'KEY=2\n', 'b'), DONE], {
      files,
      answers: [{ decision: 'approve' }, { decision: 'approve' }],
      lists: { deny: ['Read(b.env)'] },
    });
    await world.session.submit('go');
    expect(world.asked.map(({ shown }) => shown)).toEqual(['a.txt\n one\n-two\n+2\n ']);
  });

  it('denies what asks where nobody can be asked', async () => {
    const world = makeWorld([writes('a.txt'), DONE]);
    await world.session.submit('go');
    expect(world.outputs()[0]).toMatch(/^Denied: .*nobody can be asked here/);
    expect(world.has('a.txt')).toBe(false);
  });

  it('does not show tools that are denied as a whole, and denies them when called all the same', async () => {
    const world = makeWorld([runs('touch x'), DONE], { lists: { deny: ['Bash'] }, mode: 'bypassPermissions' });
    await world.session.submit('go');
    const names = world.client.requests[0]?.tools?.map(({ name }) => name) ?? [];
    expect(names).toContain('read_file');
    expect(names).not.toContain('shell');
    expect(world.has('x')).toBe(false);
  });

  it('shows nothing of denied files in searches', async () => {
    const world = makeWorld([{ calls: [call('grep', { pattern: 'KEY' }), call('glob', { pattern: '**/*' })] }, DONE], {
      lists: { deny: ['Read(secret/**)'] },
      files: { 'secret/a.txt': 'KEY=1', 'open.txt': 'KEY=2' },
    });
    await world.session.submit('go');
    expect(world.outputs()).toEqual(['open.txt:1:KEY=2', 'open.txt']);
  });
});

describe('a policy that changes while it judges', () => {
  it('T9: judges again: what the new one denies does not run', async () => {
    const root = makeFolder();
    const before = policyOf({}, { root, mode: 'acceptEdits' });
    const live = livePolicy({
      ...before,
      judge: async (asked) => {
        const judgement = await before.judge(asked);
        live.setMode('plan');
        return judgement;
      },
    });
    const world = makeSession([writes('a.txt'), DONE]);
    const environment = createLocalExecutionEnvironment(root);
    await createSession({ ...world.options, environment, policy: live }).submit('go');
    expect(existsSync(path.join(root, 'a.txt'))).toBe(false);
  });
});

describe('an approval', () => {
  it('T8: shows exactly what runs, with nothing hidden, and says why and which rule would allow it', async () => {
    const command = 'touch a\u202eb \u001b[31m c \\u{41}';
    const world = makeWorld([runs(command), DONE], { answers: [{ decision: 'reject', message: 'no' }] });
    await world.session.submit('go');
    const [request] = world.asked;
    expect(request?.shown).toBe('touch a\\u{202e}b \\u{1b}[31m c \\u{5c}u{41}');
    expect(readShown(request?.shown ?? '')).toBe(command);
    expect(request).toMatchObject({
      contentHash: contentHash({ toolName: 'shell', args: { command } }),
      reason: 'holds the character U+202E, which is not shown as what it is',
    });
    const plain = makeWorld([runs('npm test'), DONE], { answers: [{ decision: 'reject', message: 'no' }] });
    await plain.session.submit('go');
    expect(plain.asked[0]?.suggestions).toEqual([{ rules: ['Bash(npm test)'], destination: 'session', file: null }]);
  });

  it('that already says "Denied" is told to the model once', async () => {
    const world = makeWorld([writes('a.txt'), DONE], {
      answers: [{ decision: 'reject', message: 'Denied: not today' }],
    });
    await world.session.submit('go');
    expect(world.outputs()[0]).toBe('Denied: not today');
  });

  it('T7: for other content than was asked about is a refusal', async () => {
    const world = makeWorld([writes('a.txt'), DONE], {
      answers: [{ decision: 'approve', contentHash: 'of something else' }],
    });
    await world.session.submit('go');
    expect(world.has('a.txt')).toBe(false);
    expect(world.outputs()[0]).toMatch(/^Denied: the answer was given for something else/);
  });

  it('of a command is for the folder that it would run in, and shows it', async () => {
    const world = makeWorld([runs('cd sub'), runs('touch x', 'b'), DONE], {
      files: { 'sub/a': '' },
      lists: { allow: ['Bash(cd *)'] },
      answers: [{ decision: 'approve' }],
    });
    await world.session.submit('go');
    expect(world.asked[0]?.shown).toBe('cd "sub"\ntouch x');
    const args = { command: 'touch x' };
    expect(world.asked[0]?.contentHash).toBe(contentHash({ toolName: 'shell', args, workingDir: 'sub' }));
    expect(contentHash({ toolName: 'shell', args })).not.toBe(world.asked[0]?.contentHash);
    expect(world.has('sub/x')).toBe(true);
  });

  it('that can not be obtained is a refusal', async () => {
    const world = makeWorld([writes('a.txt'), DONE], {
      answers: [{ decision: 'approve' }],
      onAsk: () => {
        throw new Error('the terminal is gone');
      },
    });
    await world.session.submit('go');
    expect(world.outputs()[0]).toBe('Denied: the approval could not be obtained (the terminal is gone)');
    expect(world.has('a.txt')).toBe(false);
  });

  it('T7: can not be widened by changing what was handed out', async () => {
    const world = makeWorld([writes('a.txt', 'as asked'), DONE], {
      answers: [{ decision: 'approve' }],
      onAsk: ({ input }) => Object.assign(input, { content: 'as changed' }),
    });
    await world.session.submit('go');
    expect(readFileSync(path.join(world.root, 'a.txt'), 'utf8')).toBe('as asked');
  });

  it('once holds once; always writes the rule to the file that was shown and asks no more', async () => {
    const root = makeFolder({ '.attractor/config.local.json': '{\n  "model": "x"\n}\n' });
    const ruleFiles = ruleFilesOf({ root, home: path.join(root, 'home') });
    const world = makeWorld([runs('touch x'), runs('touch x', 'b'), runs('touch x', 'c'), runs('touch y', 'd'), DONE], {
      ruleFiles,
      answers: [
        { decision: 'approve' },
        { decision: 'approve', remember: { rules: ['Bash(touch x)'], destination: 'localSettings' } },
        { decision: 'reject', message: 'enough' },
      ],
    });
    await world.session.submit('go');
    expect(world.asked.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b', 'd']);
    expect(world.asked[0]?.suggestions.map(({ file }) => file)).toEqual([
      null,
      ruleFiles.localSettings,
      ruleFiles.projectSettings,
      ruleFiles.userSettings,
    ]);
    expect(readFileSync(ruleFiles.localSettings ?? '', 'utf8')).toBe(
      '{\n  "model": "x",\n  "permissions": {\n    "allow": [\n      "Bash(touch x)"\n    ]\n  }\n}\n',
    );
    expect(world.options.journal?.read().find(({ event }) => 'remembered' in event)?.event).toMatchObject({
      remembered: { rules: ['Bash(touch x)'], file: ruleFiles.localSettings },
    });
  });

  it('keeps no rule that was not suggested: it counts this once', async () => {
    const root = makeFolder();
    const ruleFiles = ruleFilesOf({ root, home: path.join(root, 'home') });
    const keep = (rule: string): ApprovalAnswer => ({
      decision: 'approve',
      remember: { rules: [rule], destination: 'localSettings' },
    });
    const world = makeWorld([runs('touch x'), runs('touch y', 'b'), DONE], {
      ruleFiles,
      answers: [keep('Bash(*)'), keep('Bash(touch *)')],
      onAsk: ({ suggestions }) => suggestions.forEach((one) => Object.assign(one, { rules: ['Bash(touch *)'] })),
    });
    await world.session.submit('go');
    const warnings = (world.options.journal?.read() ?? []).flatMap(({ event }) =>
      event.kind === 'WARNING' ? [event.message] : [],
    );
    expect(warnings).toEqual([
      'The rule was not kept: Bash(*) was not suggested; for localSettings it is Bash(touch x)',
      'The rule was not kept: Bash(touch *) was not suggested; for localSettings it is Bash(touch y)',
    ]);
    expect(world.asked.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
    expect(existsSync(ruleFiles.localSettings ?? '')).toBe(false);
  });

  it('may change the call: what runs is what the person wrote, checked and judged, and the model is told', async () => {
    const world = makeWorld([runs('touch x'), DONE], {
      answers: [{ decision: 'approve', input: { command: 'touch y' } }],
    });
    await world.session.submit('go');
    expect([world.has('x'), world.has('y')]).toEqual([false, true]);
    expect(world.outputs()[0]).toContain(
      'A person changed this call before it ran. Its arguments were: {"command":"touch y"}',
    );
    const answered = world.options.journal?.read().find(({ event }) => event.kind === 'APPROVAL_ANSWERED')?.event;
    expect(answered).toMatchObject({
      allowed: true,
      args: { command: 'touch y' },
      contentHash: contentHash({ toolName: 'shell', args: { command: 'touch y' } }),
    });
    const wrong = makeWorld([runs('touch x'), DONE], {
      answers: [{ decision: 'approve', input: { comand: 'touch y' } }],
    });
    await wrong.session.submit('go');
    expect(wrong.outputs()[0]).toMatch(/^Denied: a person changed the call, and its arguments are not valid/);
    const masked = makeWorld([runs('touch x'), DONE], {
      answers: [{ decision: 'approve', input: { command: 'touch [redacted:known-secret]' } }],
    });
    await masked.session.submit('go');
    expect(masked.outputs()[0]).toMatch(/^Denied: a person changed the call, and it holds the mask of a secret/);
    const denied = makeWorld([runs('touch x'), DONE], {
      lists: { deny: ['Bash(touch y)'] },
      answers: [{ decision: 'approve', input: { command: 'touch y' } }],
    });
    await denied.session.submit('go');
    expect([denied.has('x'), denied.has('y')]).toEqual([false, false]);
  });

  it('that comes after the mode changed does not run what the new mode denies', async () => {
    const world = makeWorld([writes('a.txt'), DONE], {
      answers: [{ decision: 'approve' }],
      onAsk: () => world.live.setMode('plan'),
    });
    await world.session.submit('go');
    expect(world.has('a.txt')).toBe(false);
    expect(world.outputs()[0]).toMatch(/^Denied: .*plan/);
  });
});

describe('an answer that was recorded before a crash', () => {
  /** `about` stands in the record in place of what the answer was given for. */
  const answeredThenDied = async (answer: ApprovalAnswer, about?: string) => {
    const world = makeWorld([runs('touch x'), DONE], { answers: [answer] });
    await world.session.submit('go');
    const records = world.options.journal?.read() ?? [];
    const upTo = records.findIndex(({ event }) => event.kind === 'APPROVAL_ANSWERED') + 1;
    const copy = createMemoryJournal();
    const kept = records.slice(0, upTo).map((record) => {
      if (about === undefined || record.event.kind !== 'APPROVAL_ANSWERED') return record;
      const hash = contentHash({ toolName: 'shell', args: { command: about } });
      return { ...record, event: { ...record.event, contentHash: hash } };
    });
    const journal: Journal = { ...copy, read: () => [...kept, ...copy.read()] };
    const root = makeFolder();
    const resume = async (lists: Lists = {}) => {
      const asked: Asked[] = [];
      const session = resumeSession({
        ...world.options,
        journal,
        client: createScriptedClient([DONE]),
        environment: createLocalExecutionEnvironment(root),
        policy: policyOf(lists, { root }),
        approve: async (request) => {
          asked.push(request);
          return { decision: 'reject', message: 'asked again' };
        },
      });
      await session.resume();
      await settle();
      return { asked, has: (file: string) => existsSync(path.join(root, file)), history: session.history() };
    };
    return resume;
  };

  it('holds: what was allowed runs, what was denied does not, and nobody is asked again', async () => {
    const allowed = await (await answeredThenDied({ decision: 'approve' }))();
    expect([allowed.asked.length, allowed.has('x')]).toEqual([0, true]);
    const denied = await (await answeredThenDied({ decision: 'reject', message: 'not today' }))();
    expect([denied.asked.length, denied.has('x')]).toEqual([0, false]);
    expect(denied.history[2]).toMatchObject({ results: [{ output: 'Denied: not today', isError: true }] });
  });

  it('holds for what the person wrote in place of the call', async () => {
    const changed = await (await answeredThenDied({ decision: 'approve', input: { command: 'touch y' } }))();
    expect([changed.asked.length, changed.has('x'), changed.has('y')]).toEqual([0, false, true]);
  });

  it('T7: does not hold, whatever it said, where it was given for something else: the person is asked again', async () => {
    const answers: ReadonlyArray<ApprovalAnswer> = [
      { decision: 'approve' },
      { decision: 'approve', input: { command: 'touch y' } },
      { decision: 'reject', message: 'not today' },
    ];
    for (const answer of answers) {
      const now = await (await answeredThenDied(answer, 'touch z'))();
      expect(now.asked.map(({ input }) => input)).toEqual([{ command: 'touch x' }]);
      expect([now.has('x'), now.has('y')]).toEqual([false, false]);
    }
  });

  it('does not hold against a rule that denies by now', async () => {
    const now = await (await answeredThenDied({ decision: 'approve' }))({ deny: ['Bash(touch *)'] });
    expect([now.asked.length, now.has('x')]).toEqual([0, false]);
    const instead = await answeredThenDied({ decision: 'approve', input: { command: 'touch y' } });
    const changed = await instead({ deny: ['Bash(touch y)'] });
    expect([changed.asked.length, changed.has('x'), changed.has('y')]).toEqual([0, false, false]);
  });
});

describe('T10: a child', () => {
  it('is denied what its parent is denied, asks the same person, and loses what the parent loses', async () => {
    const child = call('spawn_agent', { id: 'helper', instruction: 'work' }, 's');
    const script = (): ((request: {
      readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>;
    }) => Reply) => {
      let childTurns = 0;
      let turns = 0;
      return ({ messages }) => {
        const isChild = JSON.stringify(messages).includes('"work"');
        const isParent = JSON.stringify(messages).includes('start a helper');
        if (isChild && !isParent) {
          childTurns++;
          return childTurns === 1
            ? {
                calls: [
                  call('write_file', { file_path: 'denied.txt', content: '' }, 'c1'),
                  call('shell', { command: 'bash -c "touch asked"' }, 'c2'),
                ],
              }
            : DONE;
        }
        turns++;
        return turns === 1 ? { calls: [child] } : turns === 2 ? { calls: [call('wait', { id: 'helper' }, 'w')] } : DONE;
      };
    };
    const root = makeFolder();
    const asked: string[] = [];
    const world = makeSession([DONE]);
    const session = createSession({
      ...world.options,
      journal: createMemoryJournal(),
      client: createScriptedClient(script()),
      environment: createLocalExecutionEnvironment(root),
      policy: policyOf({ deny: ['Edit(denied.txt)'] }, { root, mode: 'acceptEdits' }),
      approve: async ({ toolName }, { sessionId }) => {
        asked.push(`${toolName} ${sessionId === session.id ? 'parent' : 'child'}`);
        return { decision: 'approve' };
      },
    });
    await session.submit('start a helper');
    expect(asked).toEqual(['shell child']);
    expect([existsSync(path.join(root, 'denied.txt')), existsSync(path.join(root, 'asked'))]).toEqual([false, true]);
  });
});
