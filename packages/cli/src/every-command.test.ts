import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '@attractor/console';
import { wholeProgram } from './main.ts';
import { openWorld, type Case, type Row, type World } from './test-support/command-world.ts';
import { ANSWERS_ELSEWHERE } from './test-support/rows/elsewhere.ts';
import { ROWS } from './test-support/rows/index.ts';
import { runCommand } from './test-support/run-command.ts';

let world: World;
let commands: ReadonlyMap<string, Command>;

beforeAll(async () => {
  world = await openWorld();
  commands = leaves(await wholeProgram());
});

afterAll(() => world.close());

/** Every command that does something, under its full name: those without parts, and those that answer by themselves as well. */
function leaves(command: Command, path: ReadonlyArray<string> = []): ReadonlyMap<string, Command> {
  const own = command.commands.filter((sub) => sub.name() !== 'help');
  const acts = own.length === 0 || takesJson(command);
  const here = acts && path.length > 0 ? [[path.join(' '), command] as const] : [];
  return new Map([...here, ...own.flatMap((sub) => [...leaves(sub, [...path, sub.name()])])]);
}

function takesJson(command: Command | undefined): boolean {
  return command?.options.some(({ long }) => long === '--json') === true;
}

describe('the table of commands', () => {
  it('has one row for each command of the program, and none for what is gone', () => {
    const rows = ROWS.map(({ command }) => command);
    expect(rows.toSorted()).toEqual([...commands.keys()].toSorted());
  });
});

describe.each(ROWS.map((row) => [row.command, row] as const))('attractor %s', (name, row: Row) => {
  it('ends as the table says, in the words and with the code that it says', async () => {
    await expectUsage(name);
    const cases = await row.cases(world);
    expect(cases.length).toBeGreaterThan(0);
    if (takesJson(commands.get(name))) expectAnswerInJson(name, cases);
    for (const one of cases) await expectCase(name, one);
  });
});

it('attractor doctor answers in JSON whatever this machine lacks', async () => {
  const ran = await runCommand(['doctor', '--json']);
  expect([EXIT.done, EXIT.failed]).toContain(ran.exit);
  expect(lines(ran.stdout).length).toBeGreaterThan(0);
  expectJson('attractor doctor --json', { stdout: ran.stdout, keys: [] });
});

/** Somewhere the command does its work and says so in JSON: here, or in the test that is named. */
function expectAnswerInJson(name: string, cases: ReadonlyArray<Case>): void {
  if (cases.some(({ args, exit }) => args.includes('--json') && exit === EXIT.done)) return;
  const file = ANSWERS_ELSEWHERE[name];
  expect({ name, file }).toEqual({ name, file: expect.stringMatching(/\.test\.ts$/) });
  const source = readFileSync(join(import.meta.dirname, '../../..', file ?? ''), 'utf8');
  const words = ['json', name.split(' ').at(-1) ?? name];
  expect({ name, shown: words.every((word) => source.includes(word)) }).toEqual({ name, shown: true });
}

/** Every command: help is no failure, and a flag that it does not have is one line and exit code 2. */
async function expectUsage(name: string): Promise<void> {
  const help = await runCommand([...name.split(' '), '--help']);
  expect([help.exit, help.stderr]).toEqual([0, '']);
  expect(help.stdout).toContain('Usage: attractor');
  const wrong = await runCommand([...name.split(' '), '--no-such-flag']);
  expect({ name, exit: wrong.exit, stdout: wrong.stdout }).toEqual({ name, exit: 2, stdout: '' });
  expect(lines(wrong.stderr)).toHaveLength(1);
}

/** Of what has a key that people say. In paths and branches an id stands for itself. */
const KEYED_ID = /(?<![\w/-])(?:tsk|run|prm|prj)_[0-9a-z]{27}(?![\w/-])/g;

function expectKeys(line: string, { stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void {
  expect({ line, ids: `${stdout}\n${stderr}`.match(KEYED_ID) ?? [] }).toEqual({ line, ids: [] });
}

/** Verbs that change nothing: what they tell scripts they also tell people, who know keys. */
const READS: ReadonlySet<string> = new Set(
  'activity audit branch cost criteria deliveries disk get graph history inbox list logs messages phases queue run'
    .concat(' show state status transcript transitions tree')
    .split(' '),
);

async function expectCase(name: string, { args, exit, says, keys, ...options }: Case): Promise<void> {
  const line = `attractor ${name} ${args.join(' ')}`;
  const ran = await runCommand([...name.split(' '), ...args], options);
  expect({ line, exit: ran.exit, stderr: exit === 0 ? '' : ran.stderr }).toEqual({
    line,
    exit,
    stderr: exit === 0 ? '' : ran.stderr,
  });
  if (!args.includes('--json') && !args.includes('--quiet')) expectKeys(line, ran);
  else if (exit === 0 && READS.has(name.split(' ').at(-1) ?? '')) {
    const plain = args.filter((arg) => arg !== '--json' && arg !== '--quiet');
    expectKeys(`attractor ${name} ${plain.join(' ')}`, await runCommand([...name.split(' '), ...plain], options));
  }
  if (says !== undefined)
    expect({ line, said: exit === 0 ? ran.stdout : ran.stderr }).toMatchObject({ said: expect.stringContaining(says) });
  if (exit !== 0 && ran.stdout === '') expect({ line, lines: lines(ran.stderr).length }).toEqual({ line, lines: 1 });
  if (args.includes('--json') && exit === 0) expectJson(line, { stdout: ran.stdout, keys: keys ?? [] });
}

function expectJson(
  line: string,
  { stdout, keys }: { readonly stdout: string; readonly keys: ReadonlyArray<string> },
): void {
  for (const text of lines(stdout)) {
    const value: unknown = JSON.parse(text);
    expect({ line, kind: typeof value }).toEqual({ line, kind: 'object' });
    expect(Object.keys(Object(value))).toEqual(expect.arrayContaining([...keys]));
  }
  if (keys.length > 0) expect({ line, some: lines(stdout).length > 0 }).toEqual({ line, some: true });
}

function lines(text: string): ReadonlyArray<string> {
  return text.split('\n').filter((line) => line !== '');
}
