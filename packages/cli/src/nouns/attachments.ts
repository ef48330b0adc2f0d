import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { defined, messageOf } from '@attractor/base';
import { CommandFailure, EXIT, putBytes } from '@attractor/console';
import { moment, table, print, valueOf } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const TASK = { name: '<task>', about: "the task's key or id" };
const ID = { name: '<id>', about: "the attachment's id" };

const ATTACHMENT_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list the files of a task',
    arguments: [TASK],
    examples: ['attachments list ATT-12'],
    call: (call) => call.client.attachments.list(call.arg(0)),
    show: (files, { style }) =>
      table(files, {
        style,
        none: 'No files yet.',
        columns: [
          { head: 'ID', cell: ({ id }) => id, paint: style.accent },
          { head: 'BYTES', cell: ({ size }) => String(size) },
          { head: 'TYPE', cell: ({ mediaType }) => mediaType },
          { head: 'ADDED', cell: ({ createdAt }) => moment(createdAt) },
          { head: 'NAME', cell: ({ name }) => name },
        ],
      }),
  }),
  verb({
    name: 'add',
    alias: 'create',
    summary: 'attach a file to a task (at most 25 MiB)',
    arguments: [TASK, { name: '<file>', about: 'the file' }],
    flags: [
      { flag: '--name <text>', about: 'its name (default: the name of the file)' },
      { flag: '--type <media>', about: 'such as image/png' },
    ],
    examples: ['attachments add ATT-12 screenshot.png --type image/png'],
    call: async (call) => {
      const [name, mediaType] = [call.flags.text('name'), call.flags.text('type')];
      const file = { name: name ?? basename(call.arg(1)), ...defined({ mediaType }) };
      return call.client.attachments.add(call.arg(0), { ...file, content: await bytesOf(call.arg(1)) });
    },
    show: ({ id, name, size }) => [`Attached ${name} (${size} bytes) as ${id}.`],
  }),
  {
    name: 'get',
    summary: 'write a file of a task to stdout or to a file',
    arguments: [ID],
    flags: [{ flag: '-o, --output <file>', about: 'where to; must not exist yet (default: stdout)' }],
    examples: ['attachments get att_01m7 -o screenshot.png'],
    run: download,
  },
  verb({
    name: 'remove',
    alias: 'delete',
    summary: 'remove a file of a task',
    arguments: [ID],
    examples: ['attachments remove att_01m7'],
    call: (call) => call.client.attachments.remove(call.arg(0)),
    show: (_, call) => [`Removed ${call.arg(0)}.`],
  }),
];

async function download(call: Call) {
  const body = valueOf(await call.client.attachments.read(call.arg(0)));
  const file = call.flags.text('output');
  if (file === undefined) {
    for await (const chunk of body) putBytes(process.stdout, chunk);
    return EXIT.done;
  }
  try {
    await pipeline(Readable.from(body), createWriteStream(file, { flags: 'wx' }));
  } catch (error) {
    throw cantUse(file, error);
  }
  await print(call.output, { value: { id: call.arg(0), file }, lines: () => [`Written to ${file}.`] });
  return EXIT.done;
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw cantUse(file, error);
  }
}

function cantUse(file: string, error: unknown): CommandFailure {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const reason = messageOf(error);
  return new CommandFailure(`can't use ${file} (${reason})`, code === 'ENOENT' ? EXIT.notFound : EXIT.refused);
}

export const define = noun({
  description: 'Files that belong to a task.',
  verbs: ATTACHMENT_VERBS,
});
