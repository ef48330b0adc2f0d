import { readFileSync } from 'node:fs';
import { messageOf } from '@attractor/base';
import type { Artifact } from '@attractor/platform';
import type { ArtifactEditBody, NewArtifactBody } from '@attractor/api';
import { CommandFailure, EXIT, type Style } from '@attractor/console';
import { fieldsOf, jsonFlag } from '../verbs/fields.ts';
import type { Flag } from '../verbs/flag.ts';
import { facts, moment, table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const TASK = { name: '<task>', about: "the task's key or id" };
const ID = { name: '<id>', about: "the artifact's id" };
const TYPES = ['branch', 'commit', 'diff', 'pull_request', 'document', 'mock', 'link'] as const;
const FIELDS: ReadonlyArray<Flag> = [
  { flag: '--label <text>', about: 'its name' },
  { flag: '--url <url>', about: 'its address' },
  { flag: '--content <text>', about: 'its content' },
  { flag: '--content-file <file>', about: 'the same, from a file' },
  { flag: '--metadata <json>', about: `more about it, such as '{"docType":"adr"}' of a document` },
];

const ARTIFACT_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list what a task produced',
    arguments: [TASK],
    examples: ['artifacts list ATT-12'],
    call: (call) => call.client.artifacts.list(call.arg(0)),
    show: (artifacts, { style }) =>
      table(artifacts, {
        style,
        none: 'Nothing yet.',
        columns: [
          { head: 'ID', cell: ({ id }) => id, paint: style.accent },
          { head: 'TYPE', cell: ({ type }) => type },
          { head: 'BY', cell: ({ createdBy }) => createdBy },
          { head: 'WHAT', cell: ({ label }) => label },
        ],
      }),
  }),
  verb({
    name: 'get',
    alias: 'show',
    summary: 'show one thing that a task produced, with its content',
    arguments: [ID],
    examples: ['artifacts get art_01m7'],
    call: (call) => call.client.artifacts.get(call.arg(0)),
    show: (artifact, { style }) => artifactLines(artifact, style),
  }),
  verb({
    name: 'create',
    alias: 'add',
    summary: 'add a document, a link or another thing to a task',
    arguments: [TASK],
    flags: [{ flag: '--type <type>', about: 'what it is', choices: TYPES }, ...FIELDS],
    notes: 'JSON on stdin instead: {"type", "label", "url"?, "content"?, "metadata"?}',
    examples: [
      'artifacts create ATT-12 --type link --label "The RFC" --url https://example.com/rfc',
      `artifacts create ATT-12 --type document --label Design --content-file design.md --metadata '{"docType":"technical_design"}'`,
    ],
    call: async (call) => {
      const type = TYPES.find((known) => known === call.flags.text('type'));
      return call.client.artifacts.add(call.arg(0), await fieldsOf<NewArtifactBody>(call, { type, ...fields(call) }));
    },
    show: (artifact, { style }) => artifactLines(artifact, style),
  }),
  verb({
    name: 'update',
    alias: 'edit',
    summary: 'change something that belongs to a task',
    arguments: [ID],
    flags: FIELDS,
    notes: 'JSON on stdin instead: {"label"?, "url"?, "content"?, "metadata"?}',
    examples: ['artifacts update art_01m7 --label "The final RFC"'],
    call: async (call) =>
      call.client.artifacts.update(call.arg(0), await fieldsOf<ArtifactEditBody>(call, fields(call))),
    show: (artifact, { style }) => artifactLines(artifact, style),
  }),
  verb({
    name: 'delete',
    alias: 'remove',
    summary: 'remove something from a task',
    arguments: [ID],
    examples: ['artifacts delete art_01m7'],
    call: (call) => call.client.artifacts.remove(call.arg(0)),
    show: (_, call) => [`Removed ${call.arg(0)}.`],
  }),
];

function fields(call: Call) {
  const file = call.flags.text('contentFile');
  const metadata = jsonFlag(call, 'metadata');
  return {
    label: call.flags.text('label'),
    url: call.flags.text('url'),
    content: file === undefined ? call.flags.text('content') : textOf(file),
    metadata: metadata === undefined ? undefined : { ...metadata },
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandFailure(`can't read ${file} (${reason})`, EXIT.notFound);
  }
}

function artifactLines(artifact: Artifact, style: Style): ReadonlyArray<string> {
  return facts(
    [
      ['id', artifact.id],
      ['type', artifact.type],
      ['label', artifact.label],
      ['url', artifact.url],
      ['file', artifact.filePath],
      ['run', artifact.runId],
      ['by', artifact.createdBy],
      ['added', moment(artifact.createdAt)],
      ['metadata', Object.keys(artifact.metadata).length === 0 ? '' : JSON.stringify(artifact.metadata)],
      ['content', artifact.content],
    ],
    style,
  );
}

export const define = noun({
  description: 'What a task produced: branches, commits, diffs, pull requests, documents, mocks, links.',
  verbs: ARTIFACT_VERBS,
});
