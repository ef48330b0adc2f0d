import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EnvironmentError } from '@attractor/system';
import { deleteOne, writeWhole } from '../change/write.ts';
import { readWholeText } from '../read/read-raw.ts';
import { listEntries } from '../search/list.ts';

type Arguments = Readonly<Record<string, unknown>>;
type Answer = { readonly output: string; readonly isError: boolean };

/** What an agent remembers from session to session: a folder of small text files, with an index. */
export type OwnNotes = {
  /** For the agent's system text: where its memory is, and the beginning of its index. */
  readonly text: string;
  /** How a model reads and changes it. */
  readonly tool: {
    readonly definition: {
      readonly name: string;
      readonly description: string;
      readonly parameters: Readonly<Record<string, unknown>>;
    };
    readonly executor: (args: Arguments) => Promise<Answer>;
    readonly readOnly: true;
    readonly serial: true;
  };
};

export type NotesSource = {
  readonly agent: string;
  /** For this person, or for this project, shared or not. */
  readonly scope: 'user' | 'project' | 'local';
  /** The repository's folder, or the working directory. */
  readonly root: string;
  readonly userHome: string;
  /** Why nothing may be written to this file now; null if it may. */
  readonly refuses: (file: string) => Promise<string | null>;
  /** Told before files appear in a folder that commands are watched in; the answer is called once they are there. */
  readonly admit: (folder: string) => () => void;
};

const INDEX = 'MEMORY.md';
/** How much of the index an agent starts with. */
const MAX_LINES = 200;
const MAX_CHARS = 25 * 1024;
const MAX_FILE_CHARS = 256 * 1024;

const FOLDERS: Readonly<Record<NotesSource['scope'], string>> = {
  user: '.claude/agent-memory',
  project: '.claude/agent-memory',
  local: '.claude/agent-memory-local',
};

/** What an agent of a type remembers from session to session, in the folder that Claude Code has for it. */
export function openOwnNotes(source: NotesSource): OwnNotes {
  const { agent, scope, root, userHome } = source;
  const top = scope === 'user' ? userHome : root;
  const folder = path.join(top, FOLDERS[scope], agent.replaceAll(/[^\w.-]+/g, '-'));
  return { text: textOf(folder, indexOf(top, folder)), tool: toolOf(source, { top, folder }) };
}

function textOf(folder: string, index: string): string {
  const rules = `You have a memory that outlasts this session: the folder ${folder}. Read and change it with the tool memory and nothing else. ${INDEX} in it is its index, of which you always see the first ${MAX_LINES} lines: keep it short, and put details in files that it names. Look at it before you start, and write down what will help you the next time.`;
  return `# Your memory\n\n${rules}\n\n${index === '' ? `${INDEX} is empty so far.` : `## ${INDEX}\n\n${index}`}`;
}

function indexOf(top: string, folder: string): string {
  if (linkOnTheWay(top, path.join(folder, INDEX)) !== null) return '';
  try {
    const lines = readFileSync(path.join(folder, INDEX), 'utf8').split('\n');
    return lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_CHARS).trim();
  } catch {
    return '';
  }
}

/** A link in a repository could lead anywhere. */
function linkOnTheWay(top: string, file: string): string | null {
  const places: string[] = [];
  for (let at = file; at !== top && at !== path.dirname(at); at = path.dirname(at)) places.unshift(at);
  return places.find((at) => lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) ?? null;
}

type Place = { readonly top: string; readonly folder: string };

const PATH = { type: 'string', minLength: 1, description: 'A file of the memory, such as MEMORY.md.' };

/** As models know it: it changes nothing of the work, and reaches nothing but its folder. */
function toolOf(source: NotesSource, place: Place): OwnNotes['tool'] {
  return {
    definition: {
      name: 'memory',
      description:
        'Your memory between sessions, a folder of small text files: view shows a file, or without a path all of them; create writes a whole file; str_replace replaces a text that occurs once; insert adds lines after a line; delete and rename do what they say.',
      parameters: {
        type: 'object',
        properties: {
          command: { type: 'string', enum: [...COMMANDS.keys()] },
          path: PATH,
          file_text: { type: 'string' },
          old_str: { type: 'string' },
          new_str: { type: 'string' },
          insert_line: { type: 'integer', minimum: 0 },
          insert_text: { type: 'string' },
          new_path: PATH,
        },
        required: ['command'],
        additionalProperties: false,
      },
    },
    executor: (args) =>
      answered(() => {
        const run = COMMANDS.get(requiredText(args, 'command'));
        if (run === undefined) return failure(`The command must be one of ${[...COMMANDS.keys()].join(', ')}.`);
        const link = linkOnTheWay(place.top, place.folder);
        if (link !== null) return failure(`${link} is a link: nothing is read or written through one.`);
        return run({ args, source, ...place });
      }),
    readOnly: true,
    serial: true,
  };
}

type Call = Place & {
  readonly args: Arguments;
  readonly source: NotesSource;
};

const COMMANDS: ReadonlyMap<string, (call: Call) => Promise<Answer>> = new Map([
  ['view', view],
  ['create', (call: Call) => write(call, requiredText(call.args, 'file_text'))],
  ['str_replace', replace],
  ['insert', insert],
  ['delete', remove],
  ['rename', rename],
]);

async function view({ args, folder }: Call): Promise<Answer> {
  const asked = optionalText(args, 'path');
  if (asked !== undefined && fileOf(asked, folder) !== '.')
    return said(await readWholeText(folder, fileOf(asked, folder), undefined));
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return said('The memory is empty.');
  const names = (await listEntries(folder, '.', 3)).map(({ name, isDir }) => (isDir ? `${name}/` : name));
  return said(names.length === 0 ? 'The memory is empty.' : names.join('\n'));
}

async function replace(call: Call): Promise<Answer> {
  const [old, text] = [requiredText(call.args, 'old_str'), await read(call)];
  const times = old === '' ? 0 : text.split(old).length - 1;
  if (times !== 1) return failure(`old_str occurs ${times} times: it must occur exactly once.`);
  return write(
    call,
    text.replace(old, () => optionalText(call.args, 'new_str') ?? ''),
  );
}

async function insert(call: Call): Promise<Answer> {
  const lines = (await read(call)).split('\n');
  const asked = call.args['insert_line'];
  const at = Math.min(typeof asked === 'number' ? asked : lines.length, lines.length);
  const added = requiredText(call.args, 'insert_text').replace(/\n$/, '');
  return write(call, [...lines.slice(0, at), added, ...lines.slice(at)].join('\n'));
}

async function remove(call: Call): Promise<Answer> {
  const file = named(call, 'path');
  const refusal = await call.source.refuses(path.join(call.folder, file));
  if (refusal !== null) return failure(refusal);
  await deleteOne(call.folder, file);
  return said(`${file} is gone.`);
}

async function rename(call: Call): Promise<Answer> {
  const [from, to] = [named(call, 'path'), named(call, 'new_path')];
  const text = await readWholeText(call.folder, from, undefined);
  if (lstatSync(path.join(call.folder, to), { throwIfNoEntry: false }) !== undefined)
    return failure(`${to} already exists.`);
  const written = await write({ ...call, args: { path: to } }, text);
  return written.isError ? written : remove({ ...call, args: { path: from } });
}

function read(call: Call): Promise<string> {
  return readWholeText(call.folder, named(call, 'path'), undefined);
}

async function write(call: Call, text: string): Promise<Answer> {
  const { source, top, folder } = call;
  const file = named(call, 'path');
  if (text.length > MAX_FILE_CHARS) return failure(`A file of the memory has at most ${MAX_FILE_CHARS} characters.`);
  const refusal = await source.refuses(path.join(folder, file));
  if (refusal !== null) return failure(refusal);
  const admitted = source.admit(path.join(top, '.claude'));
  try {
    mkdirSync(folder, { recursive: true });
    await writeWhole(folder, file, { content: text });
  } finally {
    admitted();
  }
  return said(`${file} is written.`);
}

function named({ args, folder }: Call, argument: string): string {
  return fileOf(requiredText(args, argument), folder);
}

/** Models know the folder as /memories too. What leads out of it is refused where it is read or written. */
function fileOf(asked: string, folder: string): string {
  const inside = asked.replace(/^\/memories(?:\/|$)/, '') || '.';
  const file = path.isAbsolute(inside) ? path.relative(folder, inside) : path.normalize(inside);
  if (file === '..' || file.startsWith('../'))
    throw new EnvironmentError({ code: 'outside', message: `${asked} is not in the memory: name a file in it.` });
  return file === '' ? '.' : file;
}

/** What can't be done is told to the model; anything else is a bug. */
async function answered(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EnvironmentError) return failure(error.message);
    throw error;
  }
}

function requiredText(args: Arguments, name: string): string {
  const value = args[name];
  if (typeof value === 'string') return value;
  throw new EnvironmentError({ code: 'invalid_arguments', message: `The argument ${name} is missing.` });
}

function optionalText(args: Arguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

function failure(output: string): Answer {
  return { output, isError: true };
}

function said(output: string): Answer {
  return { output, isError: false };
}
