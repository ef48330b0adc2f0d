import { readFileSync, writeFileSync } from 'node:fs';
import { defined, messageOf } from '@attractor/base';
import type { PipelineDefinition } from '@attractor/platform';
import { CommandFailure, EXIT, readStdin } from '@attractor/console';
import { facts, table, print, valueOf } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const ID = { name: '<id>', about: "the pipeline's id" };
const FILE = { name: '[file]', about: 'a JSON file (default: stdin)' };
const VERSION = { flag: '--version-number <n>', about: 'this version (default: the newest)', number: true } as const;

const PIPELINE_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list the pipelines, each in its newest version',
    examples: ['pipelines list', 'pipelines list --json'],
    call: ({ client }) => client.pipelines.list(),
    show: (pipelines, { style }) =>
      table(pipelines, {
        style,
        none: 'No pipelines.',
        columns: [
          { head: 'ID', cell: ({ id }) => id, paint: style.accent },
          { head: 'VERSION', cell: ({ version }) => String(version) },
          { head: 'DEFAULT', cell: ({ isDefault }) => (isDefault ? 'yes' : '') },
          { head: 'STATUSES', cell: ({ statuses }) => String(statuses.length) },
          { head: 'NAME', cell: ({ name }) => name },
        ],
      }),
  }),
  verb({
    name: 'get',
    summary: 'show a pipeline',
    arguments: [ID],
    flags: [VERSION],
    examples: ['pipelines get coding', 'pipelines get feature --json'],
    call: ({ client, arg, flags }) => client.pipelines.get(arg(0), flags.number('versionNumber')),
    show: (pipeline, { style }) => pipelineLines(pipeline, style),
  }),
  {
    name: 'graph',
    summary: 'draw a pipeline',
    arguments: [ID],
    flags: [
      { flag: '--format <format>', about: 'mermaid (the default) or svg', choices: ['mermaid', 'svg'] },
      { flag: '-o, --output <file>', about: 'where to (default: stdout)' },
      VERSION,
    ],
    examples: ['pipelines graph feature', 'pipelines graph feature --format svg -o feature.svg'],
    run: graph,
  },
  {
    name: 'export',
    summary: 'write a pipeline as a JSON file that `import` takes',
    arguments: [ID],
    flags: [
      { flag: '-o, --output <file>', about: 'where to (default: stdout)' },
      { flag: '--as <id>', about: 'as the first version of a pipeline of your own, with this id' },
      VERSION,
    ],
    examples: ['pipelines export coding --as mine -o mine.json', 'pipelines export coding | jq .statuses'],
    run: exportPipeline,
  },
  verb({
    name: 'import',
    summary: 'save a pipeline; with a known id it becomes the next version',
    arguments: [FILE],
    notes:
      'Tasks keep the version they started with. Mistakes are reported with their places, and nothing is saved (exit code 4).',
    examples: ['pipelines import review.json', 'pipelines import < review.json'],
    call: async ({ client, arg }) => client.pipelines.save(await definition(arg(0))),
    show: (pipeline, { style }) => pipelineLines(pipeline, style),
  }),
  verb({
    name: 'validate',
    summary: 'say what is wrong with a pipeline, without saving it',
    arguments: [FILE],
    examples: ['pipelines validate review.json'],
    call: async ({ client, arg }) => client.pipelines.validate(await definition(arg(0))),
    show: ({ id, statuses, transitions }) => [
      `${id} is valid: ${statuses.length} statuses, ${transitions.length} transitions.`,
    ],
  }),
  verb({
    name: 'set-default',
    summary: 'let new tasks use this pipeline',
    arguments: [ID],
    examples: ['pipelines set-default feature'],
    call: ({ client, arg }) => client.pipelines.setDefault(arg(0)),
    show: ({ name }) => [`New tasks use ${name}.`],
  }),
  verb({
    name: 'delete',
    summary: 'remove a pipeline that no task uses',
    arguments: [ID],
    examples: ['pipelines delete review'],
    call: ({ client, arg }) => client.pipelines.delete(arg(0)),
    show: (_nothing, { arg }) => [`Deleted ${arg(0)}.`],
  }),
];

async function graph(call: Call) {
  const { client, flags, output } = call;
  const version = flags.number('versionNumber');
  const format = flags.text('format') === 'svg' ? 'svg' : 'mermaid';
  const drawn = valueOf(await client.pipelines.graph(call.arg(0), { format, ...defined({ version }) }));
  if (writeTo(call, drawn.text)) return EXIT.done;
  await print(output, { value: drawn, lines: () => [drawn.text.trimEnd()], ids: () => [drawn.text.trimEnd()] });
  return EXIT.done;
}

async function exportPipeline(call: Call) {
  const found = valueOf(await call.client.pipelines.get(call.arg(0), call.flags.number('versionNumber')));
  const id = call.flags.text('as');
  const pipeline = id === undefined ? found : { ...found, id, name: id, version: 1, isDefault: false };
  const text = `${JSON.stringify(pipeline, null, 2)}\n`;
  if (!writeTo(call, text)) call.output.write(call.output.mode === 'json' ? `${JSON.stringify(pipeline)}\n` : text);
  return EXIT.done;
}

/** Whether the person named a file. */
function writeTo({ flags, say }: Call, text: string): boolean {
  const file = flags.text('output');
  if (file === undefined) return false;
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandFailure(`can't write ${file}: ${messageOf(error)}`);
  }
  say(`Wrote ${file}.`);
  return true;
}

async function definition(file: string): Promise<unknown> {
  const text = file === '' || file === '-' ? await readStdin() : readGiven(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandFailure(`${file === '' ? 'stdin' : file}: not valid JSON (${reason})`, EXIT.refused);
  }
}

function readGiven(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(`can't read ${file}: ${messageOf(error)}`, EXIT.notFound);
  }
}

function pipelineLines(pipeline: PipelineDefinition, style: Call['style']): ReadonlyArray<string> {
  const { statuses, transitions, initialStatus, terminalStatuses } = pipeline;
  const place = (id: string) => (id === initialStatus ? 'start' : terminalStatuses.includes(id) ? 'end' : '');
  return [
    ...facts(
      [
        ['id', pipeline.id],
        ['name', pipeline.name],
        ['version', pipeline.version],
        ['default', pipeline.isDefault ? 'yes' : 'no'],
        ['about', pipeline.description],
      ],
      style,
    ),
    '',
    ...table(statuses, {
      style,
      none: '',
      columns: [
        { head: 'STATUS', cell: ({ id }) => id, paint: style.accent },
        { head: 'CATEGORY', cell: ({ category }) => category },
        { head: '', cell: ({ id }) => place(id) },
        { head: 'LABEL', cell: ({ label }) => label },
      ],
    }),
    '',
    ...table(transitions, {
      style,
      none: '',
      columns: [
        { head: 'FROM', cell: ({ from }) => from },
        { head: 'TO', cell: ({ to }) => to },
        { head: 'BY', cell: ({ trigger }) => (trigger.type === 'agent_outcome' ? trigger.outcome : trigger.type) },
        { head: 'GUARDS', cell: ({ guards = [] }) => guards.map(({ type }) => type).join(', ') },
        { head: 'HOOKS', cell: ({ hooks = [] }) => hooks.map(({ type }) => type).join(', ') },
        { head: 'LABEL', cell: ({ label }) => label },
      ],
    }),
  ];
}

export const define = noun({
  description: 'The paths of tasks, as data: statuses, transitions, guards and hooks.',
  verbs: PIPELINE_VERBS,
});
