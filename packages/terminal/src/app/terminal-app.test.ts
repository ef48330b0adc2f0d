import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, type Script } from '@attractor/agent/testing';
import { openSessions } from '@attractor/journal';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../commands/commands.ts';
import { createLiveSessions } from '../live-sessions.ts';
import { makePlace, openApp } from '../test-support/app-world.ts';

const EDIT = call('edit_file', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' });

describe('the terminal app', () => {
  it('tells an answer, asks before a change and a command, and takes no for an answer with its words', async () => {
    const app = openApp([
      { text: 'I **mend** it.', calls: [EDIT] },
      { calls: [call('shell', { command: 'touch never' })] },
      { calls: [call('write_file', { file_path: '/etc/never', content: 'x' })] },
      { text: 'All is well.' },
    ]);
    app.type('mend the sum\r');
    await app.sees('Allow Edit?');
    expect(app.screen()).toContain('› mend the sum');
    expect(app.screen()).toMatch(/- export const sum|- a - b/);
    await app.answer('y');
    await app.sees('Edit sum.js  +1 −1');
    await app.sees('Allow Bash?');
    await app.answer('x');
    await app.sees('runs without asking only where');
    await app.answer('n');
    await app.sees('Why not?');
    app.type('not needed\r');
    await app.sees('All is well.');
    expect(app.screen()).toContain('Denied: not needed');
    expect(app.screen()).toMatch(/\n\n✗ Bash/);
    expect(app.screen()).toMatch(/✗ Write \/etc\/never {2}not allowed\n {2}\S.* outside/);
    expect(app.screen().match(/not allowed|Denied/g)).toHaveLength(2);
    expect(JSON.stringify(app.client.requests.at(-1))).toContain('not needed');
    expect(readFileSync(join(app.folder, 'sum.js'), 'utf8')).toContain('a + b');
    expect(existsSync(join(app.folder, 'never'))).toBe(false);
    app.type('\u0004');
    expect(await app.ended).toBe(0);
    expect(app.screen()).toMatch(/Continue with: attractor -r ses_\w+$/);
    expect(app.emulator.written()).toMatch(/\u001b\[<u\u001b\[\?2004l/);
  });

  it('queues what is typed while it works, lets it be changed, and stops on Escape', async () => {
    const app = openApp([{ text: 'Begun.', hangs: true }, { text: 'Second answer.' }]);
    app.type('first\r');
    await app.sees('Begun.');
    app.type('second\r');
    await app.sees('queued › second');
    app.type('\u001b[A');
    await app.sees('› second');
    app.type(' thought\r');
    await app.sees('queued › second thought');
    app.type('\u001b');
    await app.sees('Enter alone sends it ·');
    app.type('\r');
    await app.sees('Second answer.');
    expect(JSON.stringify(app.client.requests.at(-1))).toContain('second thought');
    app.type('\u0003');
    await app.sees('Ctrl-C again leaves');
    app.type('\u0003');
    expect(await app.ended).toBe(0);
  });

  it('unfolds a call that runs in its place, folds it again, and steers: what is queued is said between two rounds', async () => {
    const command = 'seq -f "row %g" 9; until test -e go; do sleep 0.05; done';
    const app = openApp([{ calls: [call('shell', { command })] }, { text: 'Heard.' }]);
    app.type('wait\r');
    await app.sees('Allow Bash?');
    await app.answer('y');
    await app.sees('Working');
    await app.sees('  row 7\n  row 8\n  row 9\n');
    expect(app.screen()).not.toContain('  row 6');
    app.type('\u000F');
    await app.sees('  row 1\n  row 2\n');
    app.type('\u000F');
    await until(() => !app.screen().includes('  row 6'));
    expect(app.screen()).toContain('  row 7\n  row 8\n  row 9\n');
    app.type('look at this too\r');
    await app.sees('queued › look at this too');
    app.type('\r');
    writeFileSync(join(app.folder, 'go'), '');
    await app.sees('Heard.');
    expect(JSON.stringify(app.client.requests.at(-1)?.messages)).toContain('look at this too');
    expect(app.screen()).not.toContain('row 1\n  row 2');
    app.type('\u000F');
    await app.sees('Output of Bash:\n  row 1\n  row 2\n');
    app.type('/clear\r');
    await app.sees('A new conversation begins.');
    app.type('\u000F');
    await app.sees('Nothing is folded.');
    app.type('\u0004');
    expect(await app.ended).toBe(0);
  });

  it('stops the work that asks on Ctrl-C, runs nothing, and goes on with the next input', async () => {
    const app = openApp([{ calls: [call('shell', { command: 'touch never' })] }, { text: 'Going on.' }]);
    app.type('do it\u0007');
    await app.sees('› do it (edited)');
    app.type('\r');
    await app.sees('Allow Bash?');
    app.type('\u0003');
    await app.sees('Stopped.');
    await until(() => !app.screen().includes('Allow Bash?') && !app.screen().includes('Esc stops'));
    app.type('and now\r');
    await app.sees('Going on.');
    expect(existsSync(join(app.folder, 'never'))).toBe(false);
    app.type('\u0004');
    expect(await app.ended).toBe(0);
  });

  it('asks for agents side by side one after the other, says how many wait, and gives each its own answer', async () => {
    const app = openApp(sendingOut(['one', 'two']), { rows: 40 });
    app.type('send two\r');
    await app.sees('Allow Bash?  (1 more after this)');
    const first = askedCommand(app.screen());
    const second = first === 'one' ? 'two' : 'one';
    expect(app.screen()).not.toContain(`  touch ${second}`);
    await app.answer('y');
    await app.sees(`  touch ${second}`);
    await until(() => app.screen().includes('Allow Bash?') && !app.screen().includes('more after this'));
    expect(existsSync(join(app.folder, second))).toBe(false);
    await app.answer('n');
    await app.sees('Why not?');
    app.type(`no ${second} here\r`);
    await app.sees('All are back.');
    expect(app.screen()).not.toContain('Allow Bash?');
    expect([first, second].map((name) => existsSync(join(app.folder, name)))).toEqual([true, false]);
    const heard = (name: string): string =>
      app.client.requests
        .map(({ messages }) => JSON.stringify(messages.slice(1)))
        .findLast((said) => said.includes(`CHILD ${name}`) && said.includes(`touch ${name}`)) ?? '';
    expect([heard(first).includes('Denied'), heard(second).includes(`Denied: no ${second} here`)]).toEqual([
      false,
      true,
    ]);
    app.type('\u0004');
    expect(await app.ended).toBe(0);
  });

  it('takes a question away that is answered in another window, tells the answer, and has the keys in the editor again', async () => {
    const app = openApp([
      { calls: [call('shell', { command: 'touch yes' })] },
      { calls: [call('shell', { command: 'touch no' })] },
      { calls: [call('exit_plan_mode', { plan: 'Do *it*' })] },
      { text: 'All is answered.' },
    ]);
    const web = createLiveSessions(app.home, () => Promise.reject(new Error('a terminal has it open')));
    const session = (): string => openSessions({ home: app.home }).list({ limit: 1 })[0]?.id ?? '';
    const answer = async (shown: string, isAllowed: boolean, words = ''): Promise<void> => {
      await app.sees(shown);
      await until(() => web.live(session()).asks.length === 1);
      const [ask] = web.live(session()).asks;
      const given = { ask: ask?.id ?? 0, isAllowed, words };
      expect(web.answer(session(), given)).toMatchObject({ asks: [], problem: null });
      expect(web.answer(session(), given)).toBeNull();
      await app.sees('Answered in another window: ');
    };
    app.type('do it\r');
    await answer('  touch yes', true);
    await answer('  touch no', false, 'not from there');
    await answer('Begin with this plan?', true);
    app.type('y and more');
    await app.sees('› y and more');
    await app.sees('All is answered.');
    expect(app.screen()).toMatch(/window: yes\n[^]*window: no, not from there\n[^]*window: yes\n/);
    expect(app.screen()).toContain('Denied: not from there');
    expect(app.screen()).not.toMatch(/Allow Bash\?|Begin with this plan\?/);
    expect(['yes', 'no'].map((name) => existsSync(join(app.folder, name)))).toEqual([true, false]);
    expect(existsSync(join(app.home, 'sessions', session(), 'asked'))).toBe(false);
    app.type('\u0015\u0004');
    expect(await app.ended).toBe(0);
  });

  it('presents a plan, goes on planning with words, and begins when it is approved', async () => {
    const plan = (text: string) => ({ calls: [call('exit_plan_mode', { plan: text })] });
    const app = openApp([
      plan('1. Mend **sum.js**'),
      plan('1. Test\n2. Mend'),
      { calls: [EDIT] },
      { text: 'Done so.' },
    ]);
    app.type('/plan\r');
    await app.sees('nothing changes until you approve.');
    app.type('mend the sum\r');
    await app.sees('Begin with this plan?');
    expect(app.screen()).toMatch(/The plan:\n\n1\. Mend sum\.js\n/);
    expect(app.screen()).toContain('plan mode: nothing changes');
    await app.answer('n');
    await app.sees('What should be different?');
    app.type('test it first\r');
    await app.sees('2. Mend');
    expect(JSON.stringify(app.client.requests.at(-1)?.messages)).toContain('test it first');
    await until(() => app.screen().includes('No, go on planning'));
    expect(app.screen()).toContain('plan mode: nothing changes');
    await app.answer('y');
    await app.sees('Allow Edit?');
    expect(app.screen()).not.toContain('plan mode: nothing changes');
    expect(app.screen()).not.toContain('Begin with this plan?');
    await app.answer('y');
    await app.sees('Done so.');
    expect(readFileSync(join(app.folder, 'sum.js'), 'utf8')).toContain('a + b');
    app.type('\u0004');
    expect(await app.ended).toBe(0);
  });

  it('has the draft, the inputs and the conversation again after a process died', async () => {
    const place = makePlace();
    const first = openApp([{ text: 'Noted: seven.' }], { place });
    first.type('remember seven\r');
    await first.sees('Noted: seven.');
    first.type('a half-writ');
    await first.sees('a half-writ');
    await until(() => existsSync(join(place.home, 'terminal', 'drafts')));
    // The process is killed here: nothing of it is closed. Its lease is ours, so the session can be opened again.
    await first.client.close();
    first.type('\u0015');
    await until(() => !first.screen().includes('a half-writ'));
    first.type('a half-written thought');
    first.type('\u0003');
    first.type('\u0003');
    await first.ended;
    const second = openApp([{ text: 'It was seven.' }], { place, start: { resume: { type: 'latest' } } });
    await second.sees('Continuing: remember seven');
    await second.sees('Noted: seven.');
    second.type('which?\r');
    await second.sees('It was seven.');
    expect(JSON.stringify(second.client.requests.at(-1)?.messages)).toContain('remember seven');
    second.type('/resume\r');
    await second.sees('remember seven  0 min ago · 4 turns · this one');
    second.type('\u001b');
    await second.gone('Esc goes back');
    second.type('#tests run with make\r');
    await second.sees('› #tests run with make\n  To be remembered: tests run with make');
    second.type(`/resume ${openSessions({ home: place.home }).list({ limit: 1 })[0]?.id}\r`);
    await second.sees('Continuing: remember seven');
    expect(second.screen()).not.toMatch(/cut off|To be remembered in this project/);
    second.type('\u0012seve');
    await second.sees('search: seve');
    expect(second.screen()).toContain('Enter takes it · Ctrl-R an older one · Esc back');
    expect(second.screen()).toContain('  remember seven');
    second.type('\u001b');
    await second.sees('› Ask');
    second.type('\u0004');
    await second.ended;
  });

  it('keeps every word in a narrow terminal, through resizes in the middle of a stream, with a paste of 10,000 lines', async () => {
    const words = Array.from({ length: 60 }, (_, at) => `Line ${at} of the answer.\n\n`).join('');
    const app = openApp([{ text: words }], {
      columns: 40,
      rows: 12,
      before: 'earlier shell text\r\n',
      env: { NO_COLOR: '1', TERM: 'xterm' },
    });
    app.type('/keys\r');
    await app.sees('  Ctrl-_, Alt-_\n    undo, redo');
    const lines = Array.from({ length: 10_000 }, (_, at) => `pasted ${at}`).join('\r');
    app.type(`\u001b[200~${lines}\u001b[201~`);
    await app.sees('[paste 1: 10,000 lines]');
    app.type(' 漢字 مرحبا\r');
    for (const [columns, rows] of [
      [70, 20],
      [33, 10],
      [90, 30],
    ] as const) {
      await app.sees('of the answer.');
      app.resize(columns, rows);
    }
    await app.sees('Line 59 of the answer.');
    const numbers = [...app.screen().matchAll(/^Line (\d+) of the answer\.$/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, at) => at));
    expect(app.screen().split('earlier shell text')).toHaveLength(2);
    expect(app.emulator.written()).not.toMatch(/\u001b\[[0-9;]*3[0-9]m/);
    const said = JSON.stringify(app.client.requests[0]?.messages);
    expect(said).toContain('pasted 9999 漢字 مرحبا');
    app.type('\u0004');
    await app.ended;
  });

  it('has a status line that is a command of the person, prompts of servers, and ends what runs in the background', async () => {
    const place = makePlace();
    const script = String.raw`node_line() { printf 'own \033[31mline\033[0m \033]0;evil\007 %s\n' "$1"; }; IFS= read -r x; node_line "$(grep -o '"permission_mode":"[a-zA-Z]*"' <<<"$x")$(grep -o '"Terse"' <<<"$x")"`;
    const server = join(place.home, 'server.mjs');
    writeFileSync(server, PROMPTS);
    mkdirSync(join(place.home, 'output-styles'));
    writeFileSync(join(place.home, 'output-styles', 'terse.md'), '---\nname: Terse\n---\nBe short.\n');
    const config = {
      statusLine: { type: 'command', command: script },
      outputStyle: 'Terse',
      permissions: { allow: ['Bash(sleep *)'] },
      mcpServers: { shop: { command: process.execPath, args: [server] } },
    };
    writeFileSync(join(place.home, 'config.json'), JSON.stringify(config));
    const sleeps = call('shell', { command: 'sleep 600.17', run_in_background: true });
    const app = openApp([{ calls: [sleeps] }, { text: 'It sleeps.' }, { text: 'Sold.' }], { place });
    await app.sees('own line \\u{1b}]0;evil\\u{7} "permission_mode":"default""Terse"');
    app.type('sleep\r');
    await app.sees('It sleeps.');
    await app.sees('1 in the background');
    app.type('/mcp__sh');
    await app.sees('❯ mcp__shop__sell  <what> Sells something');
    app.type('\tpears\r');
    await app.sees('Sold.');
    expect(JSON.stringify(app.client.requests.at(-1)?.messages)).toContain('Sell all pears.');
    app.type('\u001b[Z');
    await app.sees('edits allowed · own line');
    await app.sees('"permission_mode":"acceptEdits"');
    app.type('/jobs\r');
    await app.sees('End a command that runs in the background');
    expect(app.screen()).toMatch(/sleep 600\.17 {2}bash_1, process \d+/);
    app.type('\r');
    await app.sees('Ended: sleep 600.17');
    await until(() => !app.screen().includes('1 in the background'));
    app.type('/jobs\r');
    await app.sees('bash_1 killed: sleep 600.17');
    app.type('\u0004');
    await app.ended;
  });

  it('says images by their paths, and shows them where the terminal can', async () => {
    const place = makePlace();
    const png = Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), Buffer.alloc(6_000, 7)]);
    writeFileSync(join(place.folder, 'a shot.png'), png);
    writeFileSync(join(place.folder, 'words.png'), 'no image');
    for (const env of [{ TERM: 'xterm-kitty' }, { TERM: 'xterm', TERM_PROGRAM: 'iTerm.app' }, { TERM: 'screen' }]) {
      const app = openApp([{ text: 'Seen.' }], { place, env });
      app.type("look at a\\\\ shot.png, 'a shot.png' and @words.png\r");
      await app.sees('Seen.');
      expect(app.screen().split('[image: image/png, 6 KB]')).toHaveLength(2);
      const parts = app.client.requests[0]?.messages.at(-1)?.content.map(({ kind }) => kind);
      // What is no image but is mentioned goes along as the text that it is.
      expect(parts).toEqual(['TEXT', 'TEXT', 'IMAGE']);
      const written = app.emulator.written();
      expect(written.includes('\u001b_Gf=100,a=T')).toBe(env.TERM === 'xterm-kitty');
      expect(written.includes('\u001b]1337;File=inline=1')).toBe('TERM_PROGRAM' in env);
      app.type('\u0004');
      await app.ended;
    }
  });

  it('says what to do if there is no key, and keeps what was typed', async () => {
    const place = makePlace();
    const refusal = Object.assign(new Error('no model is configured. Set ANTHROPIC_API_KEY.'), { exitCode: 6 });
    const app = openApp([], { place, refusal });
    app.type('my question\r');
    expect(await app.ended).toBe(6);
    expect(app.screen()).toContain('Set ANTHROPIC_API_KEY');
    expect(app.screen()).toContain('attractor doctor');
    const again = openApp([{ text: 'Hello.' }], { place });
    await again.sees('› my question');
    again.type('\r');
    await again.sees('Hello.');
    again.type('\u0004');
    await again.ended;
  });

  it('has every command of /help do something that can be seen', async () => {
    const app = openApp(() => ({ text: 'An answer.' }), { rows: 60 });
    app.type('hello\r');
    await app.sees('An answer.');
    app.type('/nonsense\r');
    await app.sees('There is no command /nonsense');
    app.type('\u0015');
    expect(Object.keys(CASES).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
    for (const { name } of COMMANDS) {
      const { words = '', shows, keys = [] } = CASES[name] ?? { shows: '' };
      // What was said before is not an answer to this.
      const after = (): string => app.screen().split(`› /${name}`).at(-1) ?? '';
      if (name === 'exit') continue;
      const times = app.screen().split(`› /${name}`).length;
      app.type(`/${name} ${words}\r`);
      await until(
        () => app.screen().split(`› /${name}`).length > times && after().includes(shows),
        () => `${name}\n${app.screen()}`,
      );
      for (const key of keys) await app.answer(key);
      await until(
        () => !/Esc (?:goes back|stops)/.test(app.screen()),
        () => `${name}\n${app.screen()}`,
      );
    }
    app.type('!echo from the shell\r');
    await app.sees('from the shell');
    app.type('@su');
    await app.sees('❯ sum.js');
    app.type('\t');
    await app.sees('› @sum.js');
    app.type('\u0015/exit\r');
    expect(await app.ended).toBe(0);
  });
});

/** A model that sends out an agent for each name; each wants to make the file of its name. */
function sendingOut(names: ReadonlyArray<string>): Script {
  return ({ messages }) => {
    const [, name] = /CHILD (\w+)/.exec(JSON.stringify(messages.find(({ role }) => role === 'user'))) ?? [];
    if (messages.at(-1)?.role === 'tool') return { text: name === undefined ? 'All are back.' : 'Heard.' };
    if (name !== undefined) return { calls: [call('shell', { command: `touch ${name}` })] };
    const order = { description: 'a part', subagent_type: 'general-purpose' };
    return { calls: names.map((one) => call('Task', { ...order, prompt: `CHILD ${one}` })) };
  };
}

/** The file that the newest question on the screen is about. */
function askedCommand(screen: string): string {
  return [...screen.matchAll(/^ {2}touch (\w+)$/gm)].at(-1)?.[1] ?? '';
}

/** A server with one prompt and no tool. */
const PROMPTS = `
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { prompts: {} }, serverInfo: { name: 'shop', version: '1' } }),
  'prompts/list': () => ({ prompts: [{ name: 'sell', description: 'Sells something', arguments: [{ name: 'what', required: true }] }] }),
  'prompts/get': ({ arguments: { what } }) => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Sell all ' + what + '.' } }] }),
};
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const { id, method, params } of lines.map((line) => JSON.parse(line)))
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }));
});
`;

/** What is typed, what is read on the screen then, and the keys that end it. The program is `echo` here: what it is asked can be read. */
type Case = { readonly words?: string; readonly shows: string; readonly keys?: ReadonlyArray<string> };

const ESCAPE = '\u001b';

const CASES: Readonly<Record<string, Case>> = {
  help: { shows: '@file mentions a file' },
  clear: { shows: 'A new conversation begins. The one before: /resume ses_', keys: ['hello again\r'] },
  compact: { shows: 'nothing to compact yet' },
  resume: { shows: 'Continue a conversation', keys: [ESCAPE] },
  fork: { shows: 'Continuing in a copy' },
  rewind: { shows: 'Take back to before', keys: [ESCAPE] },
  copy: { shows: 'Copied 10 characters' },
  export: { shows: 'Written to' },
  remember: { words: 'tests run with make', shows: 'To be remembered: tests run with make' },
  exit: { shows: 'Continue with: attractor -r' },
  model: { shows: 'Model (now ', keys: [ESCAPE] },
  effort: { words: 'high', shows: 'Effort: high, from the next request on.' },
  permissions: { shows: 'Mode: default. Others: acceptEdits, plan' },
  plan: { shows: 'nothing changes until you approve.', keys: ['\u001b[Z'] },
  'add-dir': { words: '.', shows: 'Tools may work in /' },
  theme: { words: 'ansi', shows: 'Colours: ansi.' },
  vim: { shows: 'Keys of vi', keys: ['/vim\r'] },
  keys: { shows: 'Ctrl-_, Alt-_' },
  init: { shows: '› Look at this project and write an AGENTS.md' },
  review: { words: 'the sum', shows: 'Look at: the sum' },
  task: { words: 'mend it', shows: 'attractor tasks create mend it' },
  context: { shows: 'answers and calls' },
  cost: { shows: 'answers in this window' },
  usage: { shows: 'attractor costs list --all' },
  status: { shows: '(anthropic), effort high' },
  diff: { shows: "git can't say" },
  memory: { shows: 'tests run with make' },
  agents: { shows: 'explore  Finds things' },
  skills: { shows: 'None here.' },
  hooks: { shows: 'None here.' },
  mcp: { shows: 'None here.' },
  doctor: { shows: 'attractor doctor' },
  inbox: { shows: 'attractor inbox --json' },
  background: { shows: 'No command runs in the background.' },
};

async function until(holds: () => boolean, describeState: () => string = () => ''): Promise<void> {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries > 3_000) throw new Error(`never came true: ${describeState()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
