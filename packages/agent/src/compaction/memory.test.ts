import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeSession, settle } from '../test-support/session-world.ts';
import { makeFolder } from '@attractor/base/testing';
import { resumeSession } from '../session/session.ts';
import { addToMemory, memoryFileOf, memoryForSystemText } from './memory.ts';

describe("a project's memory", () => {
  it('is added to by /remember, told to this session at once and to the next at its start', async () => {
    const memoryFile = memoryFileOf(makeFolder());
    const first = makeSession([{ text: 'Hi.' }, { text: 'I know.' }], { memoryFile });
    await first.session.submit('hello');
    await first.session.submit('/remember use tabs,\n  not spaces');
    await first.session.submit('/remember use tabs, not spaces');
    expect(readFileSync(memoryFile, 'utf8')).toBe('# Project memory\n\n- use tabs, not spaces\n');
    expect(first.client.requests).toHaveLength(1);
    await first.session.submit('and now?');
    const [before, after] = first.client.requests.map(({ messages }) => messages);
    expect(after?.[0]).toEqual(before?.[0]);
    expect(JSON.stringify(after)).toContain('To be remembered in this project: use tabs');
    const second = makeSession([{ text: 'Hi.' }], { memoryFile });
    await second.session.submit('hello');
    expect(JSON.stringify(second.client.requests[0]?.messages[0])).toContain('- use tabs, not spaces');
  });

  it('says why nothing was remembered', async () => {
    const { session, events } = makeSession([], { memoryFile: memoryFileOf(makeFolder()) });
    await session.submit('/remember');
    await settle();
    expect(events.flatMap((event) => (event.kind === 'WARNING' ? [event.message] : []))).toEqual([
      'Nothing was remembered: say what, as in /remember use tabs.',
    ]);
  });

  it('is finished after a resume when the process died in the middle', async () => {
    const memoryFile = memoryFileOf(makeFolder());
    const { journal, options } = makeSession([], { memoryFile });
    journal.append({ kind: 'COMMAND_INPUT', name: 'remember', text: 'be kind', seq: 2, at: '', sessionId: 's' });
    const resumed = resumeSession({ ...options, journal });
    await resumed.resume();
    expect(readFileSync(memoryFile, 'utf8')).toContain('- be kind');
    expect(resumed.state()).toBe('IDLE');
  });

  it('tells the end of a long file, and nothing of one that is not there', () => {
    const file = memoryFileOf(makeFolder());
    expect(memoryForSystemText(file)).toBe('');
    for (let line = 0; line < 20; line++) addToMemory(file, `fact number ${line} ${'and more '.repeat(60)}`);
    expect(memoryForSystemText(file).length).toBeLessThan(4200);
    expect(memoryForSystemText(file)).toContain('fact number 19');
  });

  it('is neither read nor written through a link', () => {
    const outside = makeFolder({ 'memory.md': 'secret' });
    const linkedFolder = makeFolder();
    symlinkSync(outside, path.join(linkedFolder, '.attractor'));
    const linkedFile = makeFolder();
    mkdirSync(path.join(linkedFile, '.attractor'));
    symlinkSync(path.join(outside, 'memory.md'), memoryFileOf(linkedFile));
    for (const root of [linkedFolder, linkedFile]) {
      expect(memoryForSystemText(memoryFileOf(root))).toBe('');
      expect(addToMemory(memoryFileOf(root), 'x')).toContain('is a link');
    }
    expect(readFileSync(path.join(outside, 'memory.md'), 'utf8')).toBe('secret');
    writeFileSync(path.join(outside, 'memory.md'), '');
  });
});
