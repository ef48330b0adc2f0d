import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { resumeSession } from '../session/session.ts';
import { makeSession } from '../test-support/session-world.ts';
import { call, createScriptedClient, type Reply } from '../testing/scripted-client.ts';

const shell = (command: string, more: object = {}): Reply => ({ calls: [call('shell', { command, ...more })] });

/** What the model was shown of each call. */
const outputs = (history: ReadonlyArray<{ readonly kind: string }>): ReadonlyArray<string> =>
  history.flatMap((turn) =>
    'results' in turn && Array.isArray(turn.results) ? turn.results.map(({ output }) => String(output)) : [],
  );

const FILES = { 'sub/deep/a.txt': 'a\n', 'b.txt': 'b\n' };

describe('the folder that commands run in', () => {
  it('survives from one call to the next, within one reply and across several', async () => {
    const both = { calls: [call('shell', { command: 'cd sub' }), call('shell', { command: 'cd deep; pwd' })] };
    const world = makeSession([both, shell('cat a.txt'), shell('cat b.txt', { working_dir: '.' }), { text: 'done' }], {
      files: FILES,
    });
    await world.session.submit('go');
    const [first, second, third, fourth] = outputs(world.session.history());
    expect(first).toMatch(/\[now in sub\]$/);
    expect(second).toMatch(/\/sub\/deep\n[^]*\[now in sub\/deep\]$/);
    expect(third).toMatch(/^a\n\[exit code 0, \d+ ms\]$/);
    expect(fourth).toMatch(/^b\n/);
  });

  it('survives a resume', async () => {
    const world = makeSession([shell('cd sub/deep'), { text: 'done' }], { files: FILES });
    await world.session.submit('go');
    await world.session.close();
    const client = createScriptedClient([shell('cat a.txt; cd ..'), shell('pwd'), { text: 'done' }]);
    const session = resumeSession({ ...world.options, journal: world.journal, client });
    await session.submit('more');
    const [, second, third] = outputs(session.history());
    expect(second).toMatch(/^a\n/);
    expect(third).toMatch(/\/sub\n/);
  });

  it('is the root again, and says so, when it is gone or lies outside', async () => {
    const world = makeSession([shell('cd sub/deep'), { text: 'one' }, shell('ls'), shell('pwd'), { text: 'two' }], {
      files: FILES,
    });
    await world.session.submit('go');
    rmSync(path.join(world.root, 'sub'), { recursive: true });
    await world.session.submit('more');
    const [, second, third] = outputs(world.session.history());
    expect(second).toContain(`b.txt\n`);
    expect(second).toContain(`[sub/deep can't be used any more: this ran in ${world.root}]`);
    expect(third?.split('\n')[0]).toBe(world.root);
    expect(third).not.toContain("can't be used");
  });

  it('does not move file tools', async () => {
    const world = makeSession(
      [shell('cd sub'), { calls: [call('read_file', { file_path: 'b.txt' })] }, { text: 'done' }],
      { files: FILES },
    );
    await world.session.submit('go');
    expect(outputs(world.session.history())[1]).toMatch(/\bb$/m);
  });
});
