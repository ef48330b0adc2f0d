import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { openSessions } from '@attractor/journal';
import { expect, it } from 'vitest';
import { makePlace, openApp } from '../test-support/app-world.ts';

it('tells hooks what only a terminal knows, and shows what they say', { timeout: 60_000 }, async () => {
  const place = makePlace();
  const log = join(place.home, 'told.jsonl');
  const hook = (answer: unknown) => [
    {
      hooks: [
        {
          type: 'command',
          command: `told=$(cat); printf '%s\\n' "$told" >> ${log}; echo '${JSON.stringify(answer)}'`,
        },
      ],
    },
  ];
  mkdirSync(join(place.home, '.claude'));
  const hooks = {
    MessageDisplay: hook({ hookSpecificOutput: { displayContent: 'SHOWN\n' } }),
    DirectoryAdded: hook({}),
    SessionStart: hook({}),
    SessionEnd: hook({}),
    UserPromptSubmit: hook({
      terminalSequence: '\u001B]2;Named by a hook\u0007',
      hookSpecificOutput: { sessionTitle: 'Called so' },
    }),
  };
  writeFileSync(join(place.home, '.claude/settings.json'), JSON.stringify({ hooks }));
  const app = openApp([{ text: 'one secret\ntwo secret' }, { text: 'three' }, { text: 'four' }], { place });
  const other = makeFolder();
  app.type('hello\r');
  await app.sees('SHOWN');
  expect(app.screen()).not.toContain('secret');
  app.type(`/add-dir ${other}\r`);
  await app.sees('Tools may work in');
  app.type('again\r');
  await app.sees('SHOWN');
  app.type('/clear\r');
  await app.sees('A new conversation begins');
  app.type('and now\r');
  await app.sees('SHOWN');
  app.type('/exit\r');
  await app.ended;
  const told = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  const of = (event: string) => told.filter(({ hook_event_name: name }) => name === event);
  expect(of('MessageDisplay').slice(0, 2)).toMatchObject([
    { index: 0, final: false, delta: 'one secret\n', message_id: expect.any(String), turn_id: expect.any(String) },
    { index: 1, final: true, delta: 'two secret' },
  ]);
  expect(of('DirectoryAdded')).toMatchObject([{ directory: other, source: 'slash_command' }]);
  expect(of('SessionStart').map(({ source }) => source)).toEqual(['startup', 'resume', 'clear']);
  expect(of('SessionEnd').map(({ reason }) => reason)).toEqual(['other', 'clear', 'prompt_input_exit']);
  expect(of('UserPromptSubmit').map(({ source }) => source)).toEqual(['user', 'user', 'user']);
  expect(
    openSessions({ home: place.home })
      .list()
      .map(({ title }) => title),
  ).toEqual(['Called so', 'Called so']);
  expect(app.emulator.written()).toContain('\u001B]2;Named by a hook\u0007');
});
