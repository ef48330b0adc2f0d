import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makePlace, openApp } from '../test-support/app-world.ts';

const ANSWER = () => ({ text: 'An answer.' });

it('colours and keys that were chosen hold in the next conversation, but bring no colours where none are wanted', async () => {
  const place = makePlace();
  const first = openApp(ANSWER, { place });
  first.type('/theme light\r');
  await first.sees('Colours: light.');
  first.type('/vmi\r');
  await first.sees('There is no command /vmi: /vim?');
  first.type('\u0015/vim\r');
  await first.sees('Keys of vi');
  first.type('\u0004');
  await first.ended;

  const second = openApp(ANSWER, { place });
  // The terminal is dark.
  second.type('\u001b]11;rgb:0000/0000/0000\u001b\\/theme\r');
  await second.sees('Colours: light. Choose: dark, light, ansi, mono, auto.');
  second.type('/vim\r');
  await second.sees('Keys as in a shell.');
  second.type('/theme auto\r');
  await second.sees('Colours follow the terminal.');
  second.type('\u0004');
  await second.ended;

  const file = path.join(place.home, 'terminal', 'choices.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: null, vi: false });
  writeFileSync(file, '{"theme":"light","vi":');
  const damaged = openApp(ANSWER, { place });
  damaged.type('/theme\r');
  await damaged.sees('Colours: dark.');
  damaged.type('/theme light\r');
  await damaged.sees('Colours: light.');
  damaged.type('\u0004');
  await damaged.ended;
  const plain = openApp(ANSWER, { place, env: { TERM: 'xterm-256color', NO_COLOR: '1' } });
  plain.type('/theme\r');
  await plain.sees('Colours: mono.');
  plain.type('\u0004');
  await plain.ended;
});
