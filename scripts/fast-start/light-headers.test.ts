import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { startSimulator } from '@attractor/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LightHeaders } from './light-headers.ts';
import { bundled, makeFolder } from './test-support/bundled.ts';

const run = promisify(execFile);

describe('a fresh process that streams from every provider', () => {
  it("never loads undici, and has the platform's Headers afterwards", async () => {
    const folder = makeFolder();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = await bundled('scripts/fast-start/test-support/stream-once-child.ts', folder);
    const simulator = await startSimulator({ script: { turns: [{ text: 'Hello' }] } });
    const addresses = Object.entries(simulator.baseUrls).map(([id, url]) => `${id}=${url}`);
    const { stdout } = await run(process.execPath, [program, ...addresses]);
    await simulator.close();
    const ends = { anthropic: 'FINISH', openai: 'FINISH', 'openai-chat': 'FINISH', gemini: 'FINISH' };
    expect(JSON.parse(stdout)).toEqual({ ends, undici: false, isPlatformClass: true, get: 'a' });
  });
});

describe('light headers', () => {
  it('behave as the platform class does', () => {
    const build = (Class: typeof LightHeaders | typeof Headers): unknown => {
      const headers = new Class({ 'B-Two': ' 2 ', a: '1' });
      headers.append('A', '3');
      headers.append('set-cookie', 'x=1, y');
      headers.append('set-cookie', 'z=2');
      headers.set('c', 'x');
      headers.delete('C');
      const seen: string[] = [];
      headers.forEach((value, name) => seen.push(`${name}=${value}`));
      return [
        headers.get('A'),
        headers.get('none'),
        headers.has('b-two'),
        headers.getSetCookie(),
        seen.filter((line) => !line.startsWith('set-cookie')),
        [...headers.keys()][0],
      ];
    };
    expect(build(LightHeaders)).toEqual(build(Headers));
  });

  it('are made from pairs as well', () => {
    expect([
      ...new LightHeaders([
        ['b', '1'],
        ['a', '2'],
      ]),
    ]).toEqual([
      ['a', '2'],
      ['b', '1'],
    ]);
  });
});
