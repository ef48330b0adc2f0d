import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Answer, createApiClient } from '@attractor/api';
import { startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder, runAttractor, startAttractor, until } from './attractor.ts';
import { HAS_TMUX, openShell, openTerminal } from './tmux.ts';

const LINES = Array.from({ length: 40 }, (_, at) => `Row ${at} of the answer.`);

const SCRIPT = {
  turns: [
    { text: 'I will change it.', toolCalls: [{ use: 'edit' as const, path: 'answer.js', old: '41', new: '42' }] },
    { text: LINES.join('\n\n'), eventDelayMs: 10 },
    { text: 'Still here.' },
    { text: 'Told the copy.' },
  ],
};

/** What the journals below a folder hold. */
function keptIn(home: string): string {
  const journals = globSync('.attractor/sessions/*/journal.jsonl', { cwd: home });
  return journals.map((file) => readFileSync(path.join(home, file), 'utf8')).join('\n');
}

/** What people said, by session. */
function inputsIn(home: string): ReadonlyMap<string, string> {
  const journals = globSync('.attractor/sessions/*/journal.jsonl', { cwd: home });
  return new Map(journals.map((file) => [file, readFileSync(path.join(home, file), 'utf8')]));
}

describe.runIf(HAS_TMUX)('attractor alone at a terminal', () => {
  test('without a key says what to do; with one it asks, streams through resizes, goes on after a kill with the draft, forks and takes back', async () => {
    const home = makeFolder();
    const folder = path.join(home, 'work');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'answer.js'), 'export const answer = 41;\n');
    const lost = openTerminal([], { cwd: folder, env: { HOME: home } });
    expect(await lost.ended()).toBe(6);
    expect(lost.screen()).toContain('ANTHROPIC_API_KEY');

    const simulator = await startSimulator({ script: SCRIPT });
    onTestFinished(() => simulator.close());
    const env = { HOME: home, ANTHROPIC_API_KEY: 'none' };
    const flags = ['--model', 'claude-sonnet-4-5', '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
    const first = openTerminal(['change the answer', ...flags], { cwd: folder, env });
    await first.sees('Allow Edit?');
    await unhurried();
    first.press('y');
    await first.sees('Row 5 of the answer.');
    first.resize(61, 30);
    await first.sees('Row 15 of the answer.');
    first.resize(120, 40);
    await first.sees('Row 39 of the answer.');
    const rows = [...first.screen().matchAll(/^Row (\d+) of the answer\.$/gm)].map(([, row]) => Number(row));
    expect(rows).toEqual(LINES.map((_, at) => at));
    expect(first.screen().split('› Ask').length, first.screen()).toBeLessThanOrEqual(2);
    // The answer is shown while it comes, and kept once it is whole.
    await until(() => keptIn(home).includes(LINES.at(-1) ?? '') || undefined, 'the answer in a journal');
    first.type('a half-written thought');
    await first.sees('› a half-written thought');
    first.kill();
    expect(await first.ended()).toBe(137);

    const second = openTerminal(['-c', ...flags], { cwd: folder, env });
    await second.sees('Continuing: change the answer');
    await second.sees('Row 39 of the answer.');
    await second.sees('› a half-written thought');
    second.press('Enter');
    await second.sees('Still here.');
    const detach = await second.attach(90, 30);
    detach();
    (await second.attach(130, 45))();
    expect(second.screen().split('\nStill here.').length, second.screen()).toBe(2);

    second.say('/fork');
    await second.sees('Continuing in a copy');
    const original = /\/resume (ses_\w+)/.exec(second.screen())?.[1] ?? '';
    second.say('only in the copy');
    await second.sees('Told the copy.');
    const whole = inputsIn(home);
    expect([...whole.values()].map((inputs) => inputs.includes('only in the copy')).toSorted()).toEqual([false, true]);
    second.say(`/resume ${original}`);
    await second.sees('Continuing: change the answer');
    second.press('Escape');
    await second.sees('Esc again takes');
    second.press('Escape');
    await second.sees('Take back to before');
    second.type('change the');
    second.press('Enter');
    await second.sees('Back to before: change the answer');
    expect(second.screen()).toMatch(/Files: .*answer\.js/);
    second.press('b');
    await until(
      () => readFileSync(path.join(folder, 'answer.js'), 'utf8').includes('41') || undefined,
      'the file as it was',
    );
    await second.sees('The conversation has 0 turns now');
    await second.sees('Continuing: ');
    second.press('C-c');
    await second.sees('Ctrl-C again leaves');
    second.press('C-c');
    expect(await second.ended()).toBe(0);
    expect(second.screen()).toMatch(/Continue with: attractor -r ses_\w+/);

    const piped = await runAttractor([], { home, cwd: folder });
    expect([piped.code, piped.stdout]).toEqual([0, expect.stringContaining('Usage: attractor')]);
  });

  test('on 40 columns without colours: no for an answer, a long paste, wide and right-to-left words, steering, a queue and a stop; and in lines for a screen reader', async () => {
    const home = makeFolder();
    const folder = path.join(home, 'work');
    mkdirSync(folder);
    const shell = (command: string) => [{ use: 'shell' as const, command }];
    const slow = Array.from({ length: 4_000 }, (_, at) => `Slow ${at}.`).join('\n\n');
    const turns = [
      { toolCalls: shell('touch never') },
      { text: 'Understood.' },
      { text: 'Read: 漢字 مرحبا.' },
      { toolCalls: shell('until test -e go; do sleep 0.05; done') },
      { text: 'Steered.' },
      { text: slow, eventDelayMs: 400 },
    ];
    const simulator = await startSimulator({ script: { turns } });
    onTestFinished(() => simulator.close());
    const lastRequest = (): string => JSON.stringify(simulator.requests().at(-1)?.body);
    const env = { HOME: home, ANTHROPIC_API_KEY: 'none', NO_COLOR: '1' };
    const flags = ['--model', 'claude-sonnet-4-5', '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
    const app = openTerminal(flags, { cwd: folder, env });
    app.resize(40, 24);
    await app.sees('› Ask  (/ commands, @ files, ! shell)');
    app.say('make it');
    await app.sees('Allow Bash?');
    await app.sees('a  Always: Bash(touch never)\n     in this session');
    expect(app.screen()).toMatch(/b {2}Always: Bash\(touch never\)\n {5}written to …\/.*config\.json\n/);
    await unhurried();
    app.press('n');
    await app.sees('Why not?');
    app.say('not needed');
    await app.sees('Denied: not needed');
    await app.sees('Understood.');
    expect(lastRequest()).toContain('not needed');
    expect(existsSync(path.join(folder, 'never'))).toBe(false);

    app.paste(Array.from({ length: 10_000 }, (_, at) => `pasted ${at}`).join('\n'));
    await app.sees('[paste 1: 10,000 lines]');
    app.say(' 漢字 مرحبا');
    await app.sees('Read: 漢字 مرحبا.');
    expect(lastRequest()).toContain('pasted 9999 漢字 مرحبا');

    app.say('wait for me');
    await app.sees('a loop that may not end');
    await unhurried();
    app.press('y');
    await app.sees('Type ahead');
    app.say('look at this too');
    await app.sees('queued › look at this too');
    app.press('Enter');
    await until(() => !app.screen().includes('queued ›') || undefined, 'what was queued on its way');
    writeFileSync(path.join(folder, 'go'), '');
    await app.sees('Steered.');
    expect(lastRequest()).toContain('look at this too');

    app.say('go slowly');
    await app.sees('Slow 1.');
    app.say('second');
    await app.sees('queued › second');
    app.press('Escape');
    await app.sees('Enter alone sends it ·');
    expect(app.screen()).not.toContain('Slow 3999.');
    app.press('Enter');
    await until(() => lastRequest().includes('second') || undefined, 'what was queued at the model');
    app.press('Escape');
    // Between two frames the line of the work is not there either: what is there at rest has come.
    const isAtRest = () => !app.screen().includes('Working') && app.screen().includes('› Ask');
    await until(() => isAtRest() || undefined, 'the end of the work');
    app.press('C-d');
    expect(await app.ended()).toBe(0);
    expect(app.written()).not.toMatch(/\u001B\[(?:\d+;)*[34]\dm/);

    const other = await startSimulator({ script: { turns: [{ text: 'Hello in lines.' }] } });
    onTestFinished(() => other.close());
    const inLines = ['--screen-reader', '--base-url', other.baseUrls.anthropic, ...flags.slice(0, 2), ...ANYWHERE];
    const reader = openTerminal(inLines, { cwd: folder, env });
    await reader.sees('Type and press Enter.');
    reader.say('hello');
    await reader.sees('Working.');
    await reader.sees('Hello in lines.');
    await reader.sees('Ready.');
    reader.say('/exit');
    expect(await reader.ended()).toBe(0);
    expect(reader.written()).not.toContain('\u001B[');
  });

  test('a conversation goes on in the web app, which is told while a terminal has it, comes back to a terminal, and is answered from both', async () => {
    const home = makeFolder();
    const folder = path.join(home, 'work');
    mkdirSync(folder);
    const turns = [
      { text: 'Noted: seven.' },
      { text: 'I make it.', toolCalls: [{ use: 'shell' as const, command: 'touch made' }] },
      { text: 'Made from the web.' },
      { text: 'Back in the terminal.' },
      { toolCalls: [{ use: 'shell' as const, command: 'touch never' }] },
      { text: 'Then not.' },
    ];
    const simulator = await startSimulator({ script: { turns } });
    onTestFinished(() => simulator.close());
    const env = { HOME: home, ANTHROPIC_API_KEY: 'none' };
    const flags = ['--model', 'claude-sonnet-4-5', '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
    const first = openTerminal(['remember seven', ...flags], { cwd: folder, env });
    await first.sees('Noted: seven.');
    const client = await serverFor(home, flags);
    const [session] = must(await client.sessions.list());
    const id = session?.id ?? '';
    expect(session).toMatchObject({ title: 'remember seven', cwd: folder, isInUse: true });
    const told = await client.sessions.say(id, { text: 'too early' });
    expect(told).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(JSON.stringify(told)).toContain('Another window has this conversation open');
    const beside = openTerminal(['-r', id, ...flags], { cwd: folder, env });
    await beside.sees('Noted: seven.');
    await beside.sees('has this conversation open');
    beside.say('me too');
    await beside.sees('is in use by');
    expect(simulator.requests()).toHaveLength(1);
    beside.press('C-d');
    await beside.ended();
    first.press('C-d');
    expect(await first.ended()).toBe(0);

    expect(must(await client.sessions.say(id, { text: 'make a file' }))).toMatchObject({ isWorking: true });
    const live = async () => must(await client.sessions.live(id));
    const ask = await until(async () => (await live()).asks[0], 'the question in the web app');
    expect(ask).toMatchObject({ kind: 'approval', title: 'Allow Bash?', text: 'touch made' });
    const second = openTerminal(['-r', id, ...flags], { cwd: folder, env });
    await second.sees('has this conversation open');
    must(await client.sessions.answer(id, { ask: ask.id, isAllowed: true, words: '' }));
    expect(await client.sessions.answer(id, { ask: ask.id, isAllowed: true, words: '' })).toMatchObject({ ok: false });
    await until(async () => !(await live()).isWorking || undefined, 'the end of the turn');
    expect(existsSync(path.join(folder, 'made'))).toBe(true);
    expect(must(await client.sessions.turns(id)).map(({ text }) => text)).toContain('Made from the web.');

    second.say('and now');
    await second.sees('Made from the web.');
    await second.sees('Back in the terminal.');
    expect(JSON.stringify(simulator.requests().at(-1)?.body)).toContain('Made from the web.');
    second.say('one more');
    await second.sees('Allow Bash?');
    const shown = await until(async () => (await live()).asks[0], 'the question of the terminal in the web app');
    expect(shown).toMatchObject({ kind: 'approval', title: 'Allow Bash?', text: 'touch never' });
    must(await client.sessions.answer(id, { ask: shown.id, isAllowed: false, words: 'not from here' }));
    await second.sees('Answered in another window: no, not from here');
    await second.sees('Then not.');
    expect(second.screen()).not.toContain('Allow Bash?');
    expect([existsSync(path.join(folder, 'never')), (await live()).asks]).toEqual([false, []]);
    second.press('C-d');
    expect(await second.ended()).toBe(0);
    expect(must(await client.sessions.get(id))).toMatchObject({ isInUse: false });
  });

  test('at one end of a pipe it is lines: words that come from a program, and an answer that goes to one', async () => {
    const home = makeFolder();
    const folder = path.join(home, 'work');
    mkdirSync(folder);
    const turns = [{ text: 'It says **seven**.' }, { text: '# Twice\n\n- fourteen' }];
    const simulator = await startSimulator({ script: { turns } });
    onTestFinished(() => simulator.close());
    const shell = openShell({ cwd: folder, env: { HOME: home, ANTHROPIC_API_KEY: 'none' } });
    await shell.sees('ready> ');
    const flags = `--model claude-sonnet-4-5 --base-url ${simulator.baseUrls.anthropic} ${ANYWHERE.join(' ')}`;
    shell.say(`echo seven | attractor "which number is it?" ${flags}; echo "first: $?"`);
    await shell.sees('\nfirst: 0');
    expect(shell.screen()).toContain('\nIt says **seven**.\nfirst: 0');
    expect(JSON.stringify(simulator.requests()[0]?.body)).toMatch(
      /which number is it\?.*seven|seven.*which number is it\?/,
    );
    shell.say(`attractor -c "and twice that?" ${flags} | cat -v; echo "second: $?"`);
    await shell.sees('\nsecond: 0');
    expect(shell.screen()).toContain('\n# Twice\n\n- fourteen\nsecond: 0');
    shell.say('attractor | head -n 1; echo "third: $?"');
    await shell.sees('\nthird: 0');
    expect(shell.screen()).toContain('\nUsage: attractor <command> [options]\nthird: 0');
  });
});

/** A key that comes with a question is not an answer to it. */
function unhurried(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 600));
}

/** The server of a home, as its web app calls it. */
async function serverFor(home: string, flags: ReadonlyArray<string>) {
  const env = { ANTHROPIC_API_KEY: 'none' };
  const server = startAttractor(['serve', '--port', '0', '--quiet', ...flags], { home, env });
  const url = await until(() => /http:\/\/[^/\s]+/.exec(server.output())?.[0], 'the address of the server');
  const token = readFileSync(path.join(home, '.attractor', 'token'), 'utf8').trim();
  return createApiClient({ baseUrl: url, token });
}

function must<Value>(answer: Answer<Value>): Value {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}
