import type { Script, ScriptStep } from '@attractor/adapters';
import type { Task } from '@attractor/api';
import { must, openWebWorld, type WebWorld } from './web-world.ts';

/** A team's board on an ordinary day: tasks in every state, long names, a large change and a long transcript. */
export type PictureWorld = WebWorld & { readonly shown: Readonly<Record<keyof typeof SHOWN, Task>> };

/** Those that pictures are taken of. */
const SHOWN = {
  change:
    'Move the importer to streams, so that files larger than memory can be read on the smallest machines that we support',
  long: 'Find out why the nightly build takes forty minutes',
} as const;

const PARSER = Array.from(
  { length: 60 },
  (_, line) => `  if (state === ${line}) return { next: ${line + 1}, text: input.slice(${line}, ${line * 2}) };`,
);
const BEFORE = [
  'import { readFileSync } from "node:fs";',
  '',
  '/** Reads a whole file of titles and makes a slug of each. */',
  'export function importTitles(path) {',
  '  const text = readFileSync(path, "utf8");',
  '  return text.split("\\n").map((title) => slugify(title));',
  '}',
  '',
  'export function step(state, input) {',
  ...PARSER,
  '}',
  '',
];
const AFTER = [
  'import { createReadStream } from "node:fs";',
  'import { createInterface } from "node:readline";',
  '',
  '/** Reads a file of titles line by line and makes a slug of each: a file may be larger than memory. */',
  'export async function* importTitles(path, { limit = Infinity } = {}) {',
  '  const lines = createInterface({ input: createReadStream(path, "utf8") });',
  '  let count = 0;',
  '  for await (const title of lines) {',
  '    if (count++ >= limit) return;',
  '    yield slugify(title);',
  '  }',
  '}',
  '',
  'export function step(state, input) {',
  ...PARSER.map((line, at) => (at % 9 === 4 ? line.replace('slice', 'substring') : line)),
  '}',
  '',
];

const LARGE_CHANGE: ReadonlyArray<ScriptStep> = [
  { do: 'output', text: 'I read the importer, its callers and its tests. Three callers expect an array.' },
  { do: 'createFile', path: 'src/import.js', content: AFTER.join('\n') },
  {
    do: 'createFile',
    path: 'test/import.test.js',
    content: `import { test } from 'node:test';\n\n${Array.from({ length: 40 }, (_, at) => `test('title ${at} keeps its letters', async () => {});`).join('\n')}\n`,
  },
  { do: 'createFile', path: 'docs/importing.md', content: '# Importing\n\nFiles are read line by line.\n' },
  {
    do: 'createFile',
    path: 'packages/importer/src/very/deeply/nested/folder/with-a-name-that-does-not-end.config.json',
    content: '{ "stream": true }\n',
  },
  { do: 'usage', inputTokens: 84_210, outputTokens: 6_420, costUsd: 0.412 },
  { do: 'outcome', outcome: 'pr_ready' },
];

const TOPICS = ['the cache of the compiler', 'the order of the tests', 'the download of browsers', 'the linter'];

const LONG_WORK: ReadonlyArray<ScriptStep> = [
  { do: 'thinking', text: 'Four steps take most of the time. I measure each one alone before I believe anything.' },
  ...TOPICS.flatMap((topic): ReadonlyArray<ScriptStep> => [
    {
      do: 'output',
      text: `Next is **${topic}**. It runs on every push, although \`build.yml\` says it is cached:\n\n\`\`\`yaml\n- uses: actions/cache@v4\n  with:\n    key: deps-\${{ hashFiles('package-lock.json') }}\n\`\`\`\n\nThe key changes with *every* commit, because the lock file is written by the step before.`,
    },
    { do: 'usage', inputTokens: 14_200, outputTokens: 830, costUsd: 0.061 },
  ]),
  { do: 'hang' },
];

const on = (title: string, outcome: string, steps: ReadonlyArray<ScriptStep>): Script => ({
  when: { promptIncludes: title, outcome },
  steps,
});

const SCRIPTS: ReadonlyArray<Script> = [
  on(SHOWN.change, 'pr_ready', LARGE_CHANGE),
  on(SHOWN.long, 'pr_ready', LONG_WORK),
];

/** Only on the board: where each stands, and its labels. */
const OTHERS: ReadonlyArray<readonly [title: string, path: ReadonlyArray<string>, ...tags: string[]]> = [
  ['Slugs of Vietnamese titles lose their tones', []],
  ['Let people choose the separator', [], 'api'],
  ['Replace the date library', [], 'debt'],
  ['Retry downloads that end early', [], 'bug'],
  ['Warn about two titles with the same slug', [], 'api'],
  ['Explain the error when a file can’t be read', [], 'bug', 'docs'],
  ['Write the changelog of 3.0', [], 'docs'],
  ['Measure on a machine with one core', ['planning'], 'performance'],
  ['Name exports so that they can be found', ['planning']],
  ['Drop the old command', ['cancelled'], 'debt'],
  ['Colours in the output', ['cancelled']],
  ['Support for Node 18', ['cancelled'], 'debt'],
];

export async function openPictureWorld(webRoot: string): Promise<PictureWorld> {
  const world = await openWebWorld(webRoot, { scripts: SCRIPTS, files: { 'src/import.js': BEFORE.join('\n') } });
  const { client } = world.server();
  const [project] = must(await client.projects.list());
  if (project === undefined) throw new Error('The world has no project.');
  const make = async (title: string, tags: ReadonlyArray<string> = []) =>
    must(await client.tasks.create({ projectId: project.id, title, tags, pipelineId: 'coding' }));
  for (const [title, path, ...tags] of OTHERS) {
    const task = await make(title, tags);
    for (const to of path) must(await client.tasks.transition(task.id, { to }));
  }
  const shown = {
    change: await make(SHOWN.change, ['performance', 'api']),
    long: await make(SHOWN.long, ['performance']),
  };
  for (const task of [shown.change, shown.long])
    must(await client.tasks.startRun(task.id, { mode: 'implement', along: 'pipeline' }));
  return { ...world, shown };
}
