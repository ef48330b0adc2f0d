import assert from 'node:assert/strict';
import { EnvironmentError, type ExecutionEnvironment, type GrepMatch, type GrepOptions } from '../types/index.ts';
import { casesOf, type ContractCase } from '@attractor/base/testing';

export type EnvironmentWorld = {
  readonly environment: ExecutionEnvironment;
  readonly dispose?: () => void | Promise<void>;
};

export type EnvironmentContractOptions = {
  /** `none`, with the reason beside it, for environments that start no programs. */
  readonly commands?: 'bash' | 'none';
};

/** What every `ExecutionEnvironment` does. `make` gives an empty one for each case. */
export function environmentContract(
  make: () => EnvironmentWorld | Promise<EnvironmentWorld>,
  { commands = 'bash' }: EnvironmentContractOptions = {},
): ReadonlyArray<ContractCase> {
  return casesOf(make, { ...FILES, ...SEARCH, ...(commands === 'bash' ? COMMANDS : {}) });
}

type Rules = Readonly<Record<string, (world: EnvironmentWorld) => Promise<void>>>;

const refused = (code: string): ((error: unknown) => boolean) => {
  return (error) => error instanceof EnvironmentError && error.code === code && error.message.length > 10;
};

const FILES: Rules = {
  'numbers the lines it reads, counts the offset from 0 and stops at the limit': async ({ environment }) => {
    await environment.writeFile('a.txt', 'one\ntwo\nthree\nfour\n');
    assert.equal(await environment.readFile('a.txt'), '     1\tone\n     2\ttwo\n     3\tthree\n     4\tfour');
    assert.equal(await environment.readFile('a.txt', 1, 2), '     2\ttwo\n     3\tthree');
  },
  'gives text and bytes back exactly: line ends, byte order mark, no final newline': async ({ environment }) => {
    const text = '\u{feff}one\r\ntwo\n\n  äöü 🙂';
    await environment.writeFile('a.txt', text);
    assert.equal(await environment.readText('a.txt'), text);
    assert.deepEqual(Buffer.from(await environment.readBytes('a.txt')), Buffer.from(text));
  },
  'makes the folders above a file, and replaces what was there': async ({ environment }) => {
    await environment.writeFile('a/b/c.txt', 'old');
    await environment.writeFile('a/b/c.txt', 'new');
    assert.equal(await environment.readText('a/b/c.txt'), 'new');
    assert.deepEqual([await environment.fileExists('a/b/c.txt'), await environment.fileExists('a/b/d')], [true, false]);
  },
  'rejects what is not there with a message to act on': async ({ environment }) => {
    await assert.rejects(environment.readFile('gone'), refused('not_found'));
    await assert.rejects(environment.readText('gone'), refused('not_found'));
    await assert.rejects(environment.readBytes('gone'), refused('not_found'));
    await assert.rejects(environment.deleteFile('gone'), refused('not_found'));
  },
  deletes: async ({ environment }) => {
    await environment.writeFile('a.txt', 'x');
    await environment.deleteFile('a.txt');
    assert.equal(await environment.fileExists('a.txt'), false);
  },
  'keeps everything inside the working directory': async ({ environment }) => {
    await assert.rejects(environment.readText('../outside.txt'), refused('outside'));
    await assert.rejects(environment.writeFile('a/../../outside.txt', 'x'), refused('outside'));
  },
  'writes only over the version that was expected, where it knows versions': async ({ environment }) => {
    if (environment.fileVersion === undefined) return;
    assert.equal(await environment.fileVersion('a.txt'), null);
    await environment.writeFile('a.txt', 'one');
    const first = (await environment.fileVersion('a.txt')) ?? '';
    await environment.writeFile('a.txt', 'other', { expectedVersion: first });
    assert.notEqual(await environment.fileVersion('a.txt'), first);
    await assert.rejects(environment.writeFile('a.txt', 'late', { expectedVersion: first }), refused('changed'));
    assert.equal(await environment.readText('a.txt'), 'other');
  },
  'does nothing for a signal that has fired': async ({ environment }) => {
    await assert.rejects(environment.writeFile('a.txt', 'x', { signal: AbortSignal.abort() }));
    assert.equal(await environment.fileExists('a.txt'), false);
  },
  'says where it is, starts, and ends more than once': async ({ environment }) => {
    await environment.initialize();
    assert.ok(environment.workingDirectory().startsWith('/') && environment.platform() && environment.osVersion());
    await environment.cleanup();
    await environment.cleanup();
  },
};

const SEARCH: Rules = {
  'lists a folder, one level unless told otherwise': async ({ environment }) => {
    await environment.writeFile('a.txt', 'xyz');
    await environment.writeFile('sub/b.txt', '');
    const shallow = await environment.listDirectory('.');
    assert.deepEqual(shallow.map(({ name, isDir }) => [name, isDir]).toSorted(), [
      ['a.txt', false],
      ['sub', true],
    ]);
    assert.equal(shallow.find(({ name }) => name === 'a.txt')?.size, 3);
    assert.ok((await environment.listDirectory('.', 2)).some(({ name }) => name.endsWith('b.txt')));
  },
  'finds files by name and lines by pattern': async ({ environment }) => {
    await environment.writeFile('src/a.ts', 'const one = 1;\nconst two = 2;\n');
    await environment.writeFile('src/b.md', 'two\n');
    assert.deepEqual(
      (await environment.glob('**/*.ts', '.')).map((name) => name.replace(/^.*src/, 'src')),
      ['src/a.ts'],
    );
    const found = await environment.grep('two', '.', { includePattern: '*.ts' });
    assert.match(found, /a\.ts:2:const two = 2;$/);
    assert.equal((await environment.grep('nothing-like-this', '.')).includes('a.ts'), false);
    const matches: GrepMatch[] = [];
    await environment.grep('two', '.', { linesBefore: 1, onMatch: (match) => void matches.push(match) });
    assert.deepEqual(
      matches.map(({ file, line, text }) => [file.replace(/^.*src/, 'src'), line, text]),
      [
        ['src/a.ts', 2, 'const two = 2;'],
        ['src/b.md', 1, 'two'],
      ],
    );
  },
  'shows of a search what was asked for: files, counts, parts, lines around, several lines, one kind of file': async ({
    environment,
  }) => {
    await environment.writeFile('a.ts', 'one\ntwo two\nthree\n');
    await environment.writeFile('b.md', 'two\n');
    const lines = async (pattern: string, options: GrepOptions): Promise<ReadonlyArray<string>> =>
      (await environment.grep(pattern, '.', options)).split('\n').toSorted();
    assert.deepEqual(await lines('two', { output: 'files' }), ['a.ts', 'b.md']);
    assert.deepEqual(await lines('two', { output: 'count' }), ['a.ts:1', 'b.md:1']);
    assert.deepEqual(await lines('two', { fileType: 'md' }), ['b.md:1:two']);
    assert.deepEqual(await lines('t..o?', { fileType: 'ts', onlyMatching: true, maxResults: 1 }), ['a.ts:2:two']);
    assert.deepEqual(await lines('two', { fileType: 'ts', contextLines: 1, linesAfter: 0 }), [
      'a.ts-1-one',
      'a.ts:2:two two',
    ]);
    assert.deepEqual(await lines('one.two', { multiline: true, withoutNumbers: true }), ['a.ts:one', 'a.ts:two two']);
    assert.deepEqual(await lines('two', { output: 'files', leaveOut: (file) => file === 'a.ts' }), ['b.md']);
  },
};

const COMMANDS: Rules = {
  'runs a command in the working directory and tells its output and exit code': async ({ environment }) => {
    const result = await environment.execCommand('echo out; echo err >&2; pwd; exit 3', 10_000);
    assert.deepEqual([result.exitCode, result.timedOut, result.stderr], [3, false, 'err\n']);
    assert.equal(result.stdout, `out\n${environment.workingDirectory()}\n`);
    assert.ok(result.durationMs >= 0);
  },
  'stops a command that takes too long': async ({ environment }) => {
    const { timedOut } = await environment.execCommand('sleep 30', { timeoutMs: 100 });
    assert.equal(timedOut, true);
  },
  'gives the caller variables to the command': async ({ environment }) => {
    const { stdout } = await environment.execCommand('echo "$MARK"', { envVars: { MARK: 'seen' } });
    assert.equal(stdout, 'seen\n');
  },
};
