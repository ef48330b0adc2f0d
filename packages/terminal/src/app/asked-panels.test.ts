import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@attractor/agent/testing';
import { describe, expect, it } from 'vitest';
import { type AppWorld, makePlace, openApp } from '../test-support/app-world.ts';

const edit = (file: string) => call('edit_file', { file_path: file, old_string: 'a - b', new_string: 'a + b' });
const PLAN = '# Mend it\n\n1. Test **first**\n2. Mend\n\n```sh\nmake check\n```';

describe('what is asked on a screen', () => {
  it('says how many calls wait, and gives each its own words', async () => {
    const fetch = (host: string) => call('web_fetch', { url: `https://${host}.invalid/`, prompt: 'Read it.' });
    const app = openApp([{ calls: [fetch('one'), fetch('two')] }, { text: 'Neither.' }], { rows: 40 });
    app.type('look\r');
    await app.sees('Allow WebFetch?  (1 more after this)');
    const first = /https:\/\/(\w+)\.invalid/.exec(app.screen())?.[1] ?? '';
    const second = first === 'one' ? 'two' : 'one';
    expect(app.screen()).not.toContain(`https://${second}`);
    for (const host of [first, second]) {
      await app.sees(`https://${host}.invalid`);
      await app.answer('n');
      app.type(`not ${host}\r`);
    }
    await app.sees('Neither.');
    expect(app.screen()).not.toContain('more after this');
    for (const host of [first, second]) expect(resultsIn(app)).toContain(`Denied: not ${host}`);
    app.type('\u0004');
    expect(await app.ended).toBe(0);
  });

  it('asks for changes one after the other, and gives each its own answer', async () => {
    const place = makePlace();
    writeFileSync(join(place.folder, 'other.js'), 'a - b\n');
    const app = openApp([{ calls: [edit('sum.js'), edit('other.js')] }, { text: 'Both judged.' }], { place, rows: 40 });
    app.type('mend both\r');
    await app.sees('Allow Edit?');
    expect(app.screen()).toMatch(/Waiting for you \S+ · Ctrl-C stops/);
    const first = lastAsked(app);
    const second = first === 'sum.js' ? 'other.js' : 'sum.js';
    await app.answer('n');
    await app.sees('Why not?');
    app.type(`leave ${first}\r`);
    await app.sees(`  ${second}\n  - `);
    await app.answer('y');
    await app.sees('Both judged.');
    expect([first, second].map((name) => contentOf(app, name).includes('a + b'))).toEqual([false, true]);
    expect(resultsIn(app).match(/Denied: leave \S+?js/g)).toEqual([`Denied: leave ${first}`]);
    app.type('\u0004');
    expect(await app.ended).toBe(0);
  });

  it('shows a plan as a page, and begins with edits allowed if that is the answer', async () => {
    const app = openApp([
      { calls: [call('exit_plan_mode', { plan: PLAN })] },
      { calls: [edit('sum.js')] },
      { text: 'Done so.' },
    ]);
    app.type('/plan\r');
    await app.sees('nothing changes until you approve.');
    app.type('mend the sum\r');
    await app.sees('Begin with this plan?');
    expect(app.screen()).toContain('The plan:\n\nMend it\n\n1. Test first\n2. Mend\n\nsh\nmake check\n');
    expect(app.screen()).not.toContain('⏎');
    await app.answer('a');
    await app.sees('Done so.');
    expect(app.screen()).toContain('● Plan  approved');
    expect(app.screen()).toContain('edits allowed');
    expect(app.screen()).not.toContain('Allow Edit?');
    expect(contentOf(app, 'sum.js')).toContain('a + b');
    expect(JSON.stringify(app.client.requests.at(1)?.messages)).toContain('The person approved the plan: begin.');
    app.type('\u0004');
    expect(await app.ended).toBe(0);
  });

  it('takes a plan away whose work is stopped, and stays in plan mode', async () => {
    const app = openApp([{ calls: [call('exit_plan_mode', { plan: PLAN })] }, { text: 'Going on.' }]);
    app.type('/plan\r');
    await app.sees('nothing changes until you approve.');
    app.type('mend the sum\r');
    await app.sees('Begin with this plan?');
    app.type('\u0003');
    await app.sees('Stopped.');
    await app.gone('Begin with this plan?');
    await app.gone('Waiting for you');
    app.type('and now\r');
    await app.sees('Going on.');
    expect(app.screen()).toContain('plan mode: nothing changes');
    app.type('\u0004');
    expect(await app.ended).toBe(0);
  });

  it('on 40 columns has the end of the file of a rule, and every word of what it asks for', async () => {
    const app = openApp([{ calls: [call('shell', { command: 'touch never' })] }, { text: 'Then not.' }], {
      columns: 40,
      rows: 20,
    });
    app.type('do it\r');
    await app.sees('Allow Bash?');
    expect(app.screen()).toMatch(/\n {5}written to …\/[^\n]*config\.json\n/);
    expect(app.screen()).toMatch(/Waiting for you \S+ · Ctrl-C stops/);
    await app.answer('n');
    await app.sees('Why not? The agent is told. (Enter\nalone: no reason)\n');
    app.type('\r');
    await app.sees('Then not.');
    expect(existsSync(join(app.folder, 'never'))).toBe(false);
    app.type('\u0004');
    expect(await app.ended).toBe(0);
  });
});

/** What the model was told of its calls with the last request. */
function resultsIn({ client }: AppWorld): string {
  const parts = client.requests.at(-1)?.messages.flatMap(({ content }) => content) ?? [];
  return parts.flatMap((part) => (part.kind === 'TOOL_RESULT' ? [JSON.stringify(part)] : [])).join('\n');
}

/** The file that the newest question on the screen is about. */
function lastAsked(app: AppWorld): string {
  return [...app.screen().matchAll(/wants to change\n {2}(\S+)$/gm)].at(-1)?.[1] ?? '';
}

function contentOf({ folder }: AppWorld, file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}
