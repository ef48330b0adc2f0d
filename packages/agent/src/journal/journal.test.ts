import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../test-support/world.ts';
import type { DeliveredEvent } from '../types/index.ts';
import { openJournal } from './file-journal.ts';
import { createMemoryJournal } from './memory-journal.ts';
import { readJournal } from './read-journal.ts';
import { encodeRecord } from './record.ts';

const event = (seq: number, content = `input ${seq}`): DeliveredEvent => ({
  kind: 'USER_INPUT',
  content,
  seq,
  at: '2026-01-01T00:00:00.000Z',
  sessionId: 'ses_1',
});

const place = (): string => path.join(makeFolder(), 'deep', 'session.jsonl');

const write = (file: string, count: number, from = 1): void => {
  const journal = openJournal(file);
  for (let seq = from; seq < from + count; seq++) journal.append(event(seq));
  journal.close();
};

describe.each([
  ['a file journal', () => openJournal(place())],
  ['a memory journal', () => createMemoryJournal()],
])('%s', (_, open) => {
  it('gives back what was appended, after a seq when asked', () => {
    const journal = open();
    for (const seq of [1, 2, 3]) journal.append(event(seq));
    journal.sync();
    expect(journal.read().map((record) => record.seq)).toEqual([1, 2, 3]);
    expect(journal.read(2)).toEqual([
      { v: 1, seq: 3, at: '2026-01-01T00:00:00.000Z', event: { kind: 'USER_INPUT', content: 'input 3' } },
    ]);
    journal.close();
    journal.close();
  });

  it('keeps large values, every character and what an error said', () => {
    const journal = open();
    const content = `${'x'.repeat(3_000_000)}\n\r\u2028\u0000"\\é🎉`;
    journal.append(event(1, content));
    journal.append({
      kind: 'ERROR',
      error: Object.assign(new TypeError('no'), { code: 'E' }),
      seq: 2,
      at: '',
      sessionId: 's',
    });
    expect(journal.read()[0]?.event).toEqual({ kind: 'USER_INPUT', content });
    expect(journal.read()[1]?.event).toEqual({ kind: 'ERROR', error: { name: 'TypeError', message: 'no', code: 'E' } });
    journal.close();
  });
});

describe('the file', () => {
  it('is private, and so is its folder', () => {
    const file = place();
    write(file, 1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.dirname(file))).toEqual(['session.jsonl']);
  });

  it('cut at any byte loses only the record it was cut in, and goes on', () => {
    const file = place();
    write(file, 3);
    const whole = readFileSync(file);
    const ends = [...whole.entries()].flatMap(([index, byte]) => (byte === 10 ? [index + 1] : []));
    for (let cut = 0; cut <= whole.length; cut++) {
      writeFileSync(file, whole.subarray(0, cut));
      const complete = ends.filter((end) => end - 1 <= cut).length;
      const journal = openJournal(file);
      journal.append(event(9));
      journal.close();
      const { records, damaged } = readJournal(file);
      expect(records.map((record) => record.seq)).toEqual([...[1, 2, 3].slice(0, complete), 9]);
      expect(damaged.length).toBe(cut === 0 || ends.includes(cut) || ends.includes(cut + 1) ? 0 : 1);
    }
  });

  it('reports damage in the middle, at the end and twice the same, and keeps the rest', () => {
    const file = place();
    write(file, 3);
    const lines = readFileSync(file, 'utf8').split('\n');
    const flipped = lines[1]?.replace('input 2', 'input 7');
    writeFileSync(file, [lines[0], flipped, 'garbage', '', lines[2], lines[2], '\0\0\0'].join('\n'));
    const { records, damaged } = readJournal(file);
    expect(records.map((record) => record.seq)).toEqual([1, 3]);
    expect(damaged.map((one) => one.line)).toEqual([2, 3, 7]);
    const journal = openJournal(file);
    expect(journal.damaged).toHaveLength(3);
    journal.close();
  });

  it('never gives a changed record back after a flipped bit', () => {
    const file = place();
    write(file, 2);
    const whole = readFileSync(file);
    const truth = readJournal(file).records;
    for (let bit = 0; bit < whole.length * 8; bit += 7) {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(file, bytes);
      const { records } = readJournal(file);
      expect(truth).toEqual(expect.arrayContaining([...records]));
      expect(records.length).toBeGreaterThanOrEqual(whole[bit >> 3] === 10 ? 0 : 1);
    }
  });

  it('passes records of kinds it does not know on, unchanged', () => {
    const file = place();
    write(file, 1);
    const future = { v: 2, seq: 5, at: 'x', event: { kind: 'FUTURE', deep: [1] } };
    appendFileSync(file, encodeRecord(future));
    expect(readJournal(file).records[1]).toMatchObject({ v: 2, event: { kind: 'FUTURE', deep: [1] } });
  });

  it('of nobody is empty', () => {
    expect(readJournal('/nowhere/at/all.jsonl')).toEqual({ records: [], damaged: [] });
  });
});

describe('the writer', () => {
  it('is one: a second is refused and told who, until the first closes', () => {
    const file = place();
    const first = openJournal(file);
    expect(() => openJournal(file)).toThrow(
      expect.objectContaining({
        name: 'JournalError',
        code: 'locked',
        message: expect.stringContaining(String(process.pid)),
      }),
    );
    first.close();
    expect(() => first.append(event(1))).toThrow('closed');
    openJournal(file).close();
  });

  it('is followed at once when its process died, or its id was given to another', () => {
    const file = place();
    write(file, 1);
    for (const owner of [
      { pid: 999_999_999, started: '1', token: 'a' },
      { pid: process.pid, started: '1', token: 'b' },
      { pid: 1, started: 'long ago', token: 'c' },
    ]) {
      writeFileSync(`${file}.lock`, JSON.stringify(owner));
      write(file, 1, 2);
    }
    writeFileSync(`${file}.lock`, '');
    openJournal(file).close();
    expect(readdirSync(path.dirname(file))).toEqual(['session.jsonl']);
  });

  it('is exactly one when many inherit a dead one at the same time', async () => {
    const file = place();
    write(file, 1);
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: 999_999_999, started: '1', token: 'dead' }));
    const program = `
      import { openJournal } from ${JSON.stringify(new URL('file-journal.ts', import.meta.url).href)};
      process.stdout.write('ready');
      process.stdin.once('data', () => {
        try { openJournal(${JSON.stringify(file)}); process.stdout.write(' won'); setTimeout(() => process.exit(), 1500); }
        catch (error) { process.stdout.write(' ' + error.code); process.exit(); }
      });`;
    const children = Array.from({ length: 6 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let output = '';
      const ready = new Promise<void>((resolve) =>
        child.stdout.on('data', (text) => {
          output += String(text);
          resolve();
        }),
      );
      const done = new Promise<string>((resolve) => child.on('close', () => resolve(output)));
      return { child, ready, done };
    });
    await Promise.all(children.map(({ ready }) => ready));
    for (const { child } of children) child.stdin.write('go');
    const outputs = await Promise.all(children.map(({ done }) => done));
    expect(outputs.toSorted()).toEqual([...Array.from({ length: 5 }, () => 'ready locked'), 'ready won']);
    expect(existsSync(`${file}.lock`)).toBe(true);
    openJournal(file).close();
  });

  it('says what to do when the place can not be written', () => {
    const folder = makeFolder({ file: '' });
    expect(() => openJournal(path.join(folder, 'file', 'session.jsonl'))).toThrow(
      expect.objectContaining({ name: 'JournalError' }),
    );
  });

  it('reads a journal that shrank under it without failing', () => {
    const file = place();
    const journal = openJournal(file);
    journal.append(event(1));
    truncateSync(file, 0);
    expect(journal.read()).toEqual([]);
    journal.close();
  });
});
