import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSimulator } from '@attractor/simulator';
import { describe, expect, it } from 'vitest';
import { LightHeaders } from './light-headers.ts';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('../test-support/stream-once.ts', import.meta.url));

describe('a fresh process that streams from every provider', () => {
  it("never loads undici, and has the platform's Headers afterwards", async () => {
    const simulator = await startSimulator({ script: { turns: [{ text: 'Hello' }] } });
    const addresses = Object.entries(simulator.baseUrls).map(([id, url]) => `${id}=${url}`);
    const { stdout } = await run(process.execPath, [SCRIPT, ...addresses]);
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
