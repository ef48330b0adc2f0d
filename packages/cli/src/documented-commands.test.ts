import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readShell } from '@attractor/shell';
import { type Command, CommanderError } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { wholeProgram } from './main.ts';
import { parsedOnly } from './test-support/parsed-only.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

type Written = { readonly where: string; readonly line: string };

/** Null if the command line takes the words. In a sentence a command may be named without what it takes. */
let refusalOf: (words: ReadonlyArray<string>, named: 'whole' | 'named') => Promise<string | null>;

const INCOMPLETE: ReadonlySet<string> = new Set([
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
]);

beforeAll(async () => {
  const parse = await parsedOnly();
  refusalOf = (words, how) =>
    parse(words).then(
      () => null,
      (error: unknown) => {
        if (how === 'named' && error instanceof CommanderError && INCOMPLETE.has(error.code)) return null;
        return error instanceof Error ? error.message : String(error);
      },
    );
});

describe('a command that people are told to type', () => {
  it('is one that the command line takes: in the documents', async () => {
    const files = globSync(['README.md', 'docs/*.md', 'packages/*/README.md', 'examples/**/*.md'], { cwd: ROOT });
    const lines = files.flatMap((file) => blocksOf(read(file)).map((line) => ({ where: file, line })));
    expect(lines.length).toBeGreaterThan(150);
    expect(await refused(lines)).toEqual([]);
  });

  it('is one that the command line takes: in the text of the documents', async () => {
    const files = globSync(['README.md', 'CHANGELOG.md', 'docs/*.md', 'packages/*/README.md'], { cwd: ROOT });
    const spans = files.flatMap((file) => spansOf(read(file)).map((line) => ({ where: file, line })));
    expect(spans.length).toBeGreaterThan(50);
    expect(await refused(spans, 'named')).toEqual([]);
  });

  it('is one that the command line takes: in the examples of every help', async () => {
    const examples = helps(await wholeProgram()).flatMap(({ where, text }) =>
      [...text.matchAll(/^ {2}(attractor .*?)(?: {2,}.*)?$/gm)].map(([, line = '']) => ({ where, line })),
    );
    expect(examples.length).toBeGreaterThan(200);
    expect(await refused(examples)).toEqual([]);
  });

  it('is one that the command line takes: in what programs say', async () => {
    const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: ROOT, exclude: (name) => /test/.test(name) });
    const said = files.flatMap((file) => messagesOf(read(file)).map((line) => ({ where: file, line })));
    expect(said.length).toBeGreaterThan(50);
    expect(await refused(said, 'named')).toEqual([]);
  });
});

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

const FENCE = /^ *```(\w*)\n([^]*?)^ *```$/gm;
const SHELLS: ReadonlySet<string> = new Set(['', 'sh', 'bash', 'console', 'text']);

/** The lines of fenced shell text, whole also where they are broken. */
function blocksOf(page: string): ReadonlyArray<string> {
  const blocks = [...page.matchAll(FENCE)].filter(([, language = '']) => SHELLS.has(language));
  const lines = blocks.flatMap(([, , block = '']) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'));
  return lines.map((line) => line.trim().replace(/^\$ /, ''));
}

/** Code in a sentence that begins with the command; what has a gap names a family of commands. */
function spansOf(page: string): ReadonlyArray<string> {
  const prose = page.replaceAll(/^ *```[^]*?^ *```/gm, '');
  const spans = [...prose.matchAll(/(?<!`)`(attractor [^`\n]+)`(?!`)/g)].map(([, span = '']) => span);
  return spans.filter((span) => !GAP.test(span));
}

const GAP = /…|\.\.\.|[<[{|]/;

function helps(command: Command): ReadonlyArray<{ readonly where: string; readonly text: string }> {
  let text = '';
  command.configureOutput({ writeOut: (more) => void (text += more) });
  command.outputHelp();
  return [{ where: `${command.name()} --help`, text }, ...command.commands.flatMap((sub) => helps(sub))];
}

/** Commands in backticks within texts of the sources; what is put in at run time stands for a name. */
function messagesOf(source: string): ReadonlyArray<string> {
  const plain = source
    .replaceAll(/\$\{[^}`]*mode\}/g, 'implement')
    .replaceAll(/\$\{[^}`]*\}/g, 'ATT-12')
    .replaceAll(/\/\*[^]*?\*\//g, '');
  const spans = [...plain.matchAll(/\\?`(attractor [a-z][^`\n\\]*)\\?`/g)].map(([, span = '']) => span);
  return spans.filter((span) => !GAP.test(span));
}

async function refused(
  written: ReadonlyArray<Written>,
  how: 'whole' | 'named' = 'whole',
): Promise<ReadonlyArray<string>> {
  const found: string[] = [];
  for (const { where, line } of written)
    for (const words of callsIn(line)) {
      const why = await refusalOf(words, how);
      if (why !== null) found.push(`${where}: attractor ${words.join(' ')}: ${why}`);
    }
  return found;
}

/** The words of every call of ours in a line of shell text. */
function callsIn(line: string): ReadonlyArray<ReadonlyArray<string>> {
  if (!/\battractor /.test(line)) return [];
  const { parts } = readShell(line, { cwd: '/', root: '/' });
  return parts.flatMap(({ words = [] }) => (words[0] === 'attractor' ? [words.slice(1)] : []));
}
