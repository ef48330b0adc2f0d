import { globSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder, until } from './attractor.ts';
import { HAS_TMUX, openShell, openTerminal, type Terminal } from './tmux.ts';

const KILLS = process.env['SOAK'] === '1' ? 100 : 3;
const SEED = Number(process.env['SEED'] ?? Date.now() % 100_000);
const KEYS_ASKED = '\u001B[>1u';
/** What a keyboard was asked for, undone: other keys, kitty's protocol. */
const KEYS_BACK = '\u001B[>4;0m\u001B[<u';

function makePlace(): { readonly home: string; readonly folder: string } {
  const home = makeFolder();
  const folder = path.join(home, 'work');
  mkdirSync(folder);
  return { home, folder };
}

describe.runIf(HAS_TMUX)('a terminal in which attractor ends', () => {
  test('is as it was before, by a signal and by a mistake of ours', async () => {
    const { home, folder } = makePlace();
    const program = path.join(import.meta.dirname, 'test-support/throwing-app-child.ts');
    const ends: ReadonlyArray<readonly [number, () => Terminal, NodeJS.Signals?]> = [
      [143, () => openTerminal([], { cwd: folder, env: { HOME: home, ANTHROPIC_API_KEY: 'none' } }), 'SIGTERM'],
      [129, () => openTerminal([], { cwd: folder, env: { HOME: home, ANTHROPIC_API_KEY: 'none' } }), 'SIGHUP'],
      [1, () => openTerminal([], { cwd: folder, env: { HOME: home }, program })],
    ];
    for (const [code, open, signal] of ends) {
      const terminal = open();
      await terminal.sees('› Ask');
      await wrote(terminal, KEYS_ASKED);
      if (signal !== undefined) terminal.kill(signal);
      expect(await terminal.ended()).toBe(code);
      await wrote(terminal, KEYS_BACK);
      expect(terminal.settings()).toMatch(/ icanon[^]* echo /);
      if (signal === undefined) expect(terminal.screen()).toContain('a mistake that nobody thought of');
    }
  });

  test(`can be used after each of ${KILLS} kills, and nothing said is lost (seed ${SEED})`, async () => {
    const { home, folder } = makePlace();
    const answer = Array.from({ length: 30 }, (_, at) => `Row ${at}.`).join('\n\n');
    const simulator = await startSimulator({
      script: { turns: [{ text: answer, eventDelayMs: 5, repeat: 'forever' }] },
    });
    onTestFinished(() => simulator.close());
    const shell = openShell({ cwd: folder, env: { HOME: home, ANTHROPIC_API_KEY: 'none' } });
    await shell.sees('ready> ');
    const flags = `--model claude-sonnet-4-5 --base-url ${simulator.baseUrls.anthropic} ${ANYWHERE.join(' ')}`;
    const random = randomFrom(SEED);
    const acknowledged: string[] = [];
    let draft: string | null = null;
    for (let round = 1; round <= KILLS; round += 1) {
      const before = timesIn(shell.written(), draft ?? 'nothing');
      shell.say(`attractor -c ${flags}`);
      await wrote(shell, KEYS_ASKED, round);
      // What was half written and could be seen is in the editor again.
      if (draft !== null) await wrote(shell, draft, before + 1);
      shell.press('C-u');
      const said = Array.from({ length: 1 + random(3) }, (_, at) => `said-${round}-${at}.`);
      for (const one of said) {
        shell.say(one);
        if (random(3) > 0) await wrote(shell, one);
      }
      if (round === 1) {
        await shell.sees(`› ${said[0]}`);
        acknowledged.push(...said.slice(0, 1));
      }
      shell.type(`half-${round}`);
      await soManyBytesLater(shell, random(900));
      shell.kill();
      await wrote(shell, 'Killed', round);
      await canBeUsed(shell, `usable-${round}`);
      acknowledged.push(...said.filter((one) => shell.screen().includes(`› ${one}`)));
      draft = shell.screen().includes(`› half-${round}`) ? `half-${round}` : null;
    }
    const { inputs, waiting } = keptIn(home);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((one) => !inputs.includes(one) && !waiting.includes(one))).toEqual([]);
    expect(inputs.filter((one, at) => inputs.indexOf(one) !== at)).toEqual([]);
    await wrote(shell, KEYS_BACK, KILLS);

    shell.say(`attractor -c ${flags}`);
    await wrote(shell, KEYS_ASKED, KILLS + 1);
    const unheard = waiting.filter((one) => !inputs.includes(one));
    for (const one of unheard.slice(-3)) await shell.sees(`queued › ${one}`);
    const again = await until(() => saidAfterResuming(shell.screen()), 'the conversation again');
    expect(again.filter((one) => !inputs.includes(one))).toEqual([]);
    shell.press('C-c');
    shell.press('C-c');
    await canBeUsed(shell, 'at-the-end');
  });
});

const AT_REST_MS = 2_000;

/** On a slow machine that is the same moment as on a fast one. If it writes nothing more, because all is said, it may be killed as well. */
async function soManyBytesLater(shell: Terminal, count: number): Promise<void> {
  const wanted = shell.written().length + count;
  let last = { length: -1, at: 0 };
  const isThere = (): true | undefined => {
    const { length } = shell.written();
    if (length !== last.length) last = { length, at: performance.now() };
    return length >= wanted || performance.now() - last.at > AT_REST_MS ? true : undefined;
  };
  await until(isThere, `${wanted} bytes`);
}

/** A person tries until the shell answers: keys that the program had not read yet are the shell's now. */
async function canBeUsed(shell: Terminal, word: string): Promise<void> {
  for (let tries = 0; !shell.screen().includes(`\n${word}\n`); tries += 1) {
    if (tries > 200) throw new Error(`the shell never said ${word}:\n${shell.screen()}`);
    shell.press('C-u');
    shell.say(`echo ${word}`);
    await pause(100 * (tries + 1));
  }
}

function wrote(terminal: Terminal, bytes: string, times = 1): Promise<true> {
  return until(
    () => terminal.written().split(bytes).length > times || undefined,
    `${JSON.stringify(bytes)} (${times})`,
  );
}

/** What the last start showed of the conversation that it went on with; undefined: nothing yet. */
function saidAfterResuming(screen: string): ReadonlyArray<string> | undefined {
  const [, shown = ''] = (screen.split('attractor -c ').at(-1) ?? '').split('Continuing: ');
  const said = [...shown.matchAll(/^› (said-\d+-\d\.)$/gm)].map(([, one = '']) => one);
  return said.length === 0 ? undefined : said;
}

function timesIn(text: string, word: string): number {
  return text.split(word).length - 1;
}

/** What people said, by the journals, and what waits to be said. */
function keptIn(home: string): { readonly inputs: ReadonlyArray<string>; readonly waiting: ReadonlyArray<string> } {
  const journals = globSync('.attractor/sessions/*/journal.jsonl', { cwd: home });
  const lines = journals.flatMap((file) => readFileSync(path.join(home, file), 'utf8').split('\n'));
  const inputs = lines.flatMap((line) =>
    [...line.matchAll(/"kind":"USER_INPUT","content":"([^"]*)"/g)].map(([, text = '']) => text),
  );
  const drafts = globSync('.attractor/terminal/drafts/*.json', { cwd: home });
  const waiting = drafts.flatMap((file) => {
    const { said = [] } = JSON.parse(readFileSync(path.join(home, file), 'utf8').split('\n')[0] ?? '') as {
      said?: ReadonlyArray<{ text: string }>;
    };
    return said.map(({ text }) => text);
  });
  return { inputs, waiting };
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
