import { parsePatch } from '@attractor/patch';

export type Args = Readonly<Record<string, unknown>>;

/**
 * What a call would act on, read from its arguments alone, under the names that every profile gives its tools and parameters.
 * `unclear`: the arguments don't say, so nothing about the call is allowed without asking. `nothing`: it stays within the session, its
 * conversation and the commands that it started, each of which was judged then. `own`: a foreign tool.
 */
export type Touch =
  | { readonly kind: 'command'; readonly command: string; readonly cwd: string | null }
  | {
      readonly kind: 'files';
      readonly reads: ReadonlyArray<string>;
      readonly writes: ReadonlyArray<string>;
      /** Those of `writes` that are only removed: of a link that is the link itself, and not its target. */
      readonly removes?: ReadonlyArray<string>;
    }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'web' }
  | { readonly kind: 'agent'; readonly name: string | null }
  | { readonly kind: 'skill'; readonly name: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'own' }
  | { readonly kind: 'unclear'; readonly reason: string };

export const PATHS = ['file_path', 'path', 'absolute_path', 'notebook_path'] as const;
export const FOLDERS = ['path', 'dir_path', 'directory'] as const;
export const COMMANDS = ['command', 'cmd'] as const;
const WORKING_FOLDERS = ['working_dir', 'workdir', 'dir_path', 'directory'] as const;

export const readsFile = (args: Args): Touch => files(args, 'reads');
export const writesFile = (args: Args): Touch => files(args, 'writes');

/** Every given spelling counts: whichever of them the tool obeys, it was judged. */
function given(args: Args, names: ReadonlyArray<string>): ReadonlyArray<unknown> {
  return names.flatMap((name) => (args[name] === undefined || args[name] === null ? [] : [args[name]]));
}

function texts(values: ReadonlyArray<unknown>): ReadonlyArray<string> | null {
  const found = values.filter((value) => typeof value === 'string');
  return found.length === values.length ? found : null;
}

export function runsCommand(args: Args): Touch {
  const commands = texts(given(args, COMMANDS));
  const folders = texts(given(args, WORKING_FOLDERS));
  const [text] = commands ?? [];
  if (commands?.length !== 1 || text === undefined) return unclear('it does not give one command as text');
  if (folders === null || folders.length > 1) return unclear('it does not give one folder to run in');
  return { kind: 'command', command: text, cwd: folders[0] ?? null };
}

function files(args: Args, access: 'reads' | 'writes'): Touch {
  const paths = texts(given(args, PATHS));
  if (paths === null || paths.length === 0) return unclear('it does not name a file');
  return { kind: 'files', reads: [], writes: [], [access]: paths };
}

export function patchesFiles(args: Args): Touch {
  const [text] = texts(given(args, ['patch', 'input'])) ?? [];
  if (text === undefined) return unclear('it does not give a patch as text');
  const parsed = parsePatch(text);
  // The tool uses the same parser and will refuse it: nothing is touched.
  if (!parsed.ok) return { kind: 'files', reads: [], writes: [] };
  const paths = parsed.operations.flatMap((operation) =>
    operation.kind === 'update' && operation.moveTo !== null ? [operation.path, operation.moveTo] : [operation.path],
  );
  const removes = parsed.operations.flatMap(({ kind, path }) => (kind === 'delete' ? [path] : []));
  return { kind: 'files', reads: [], writes: paths, ...(removes.length === 0 ? {} : { removes }) };
}

export function searchesFolder(args: Args): Touch {
  const folders = texts(given(args, FOLDERS));
  if (folders === null) return unclear('it does not name a folder');
  return { kind: 'files', reads: folders.length === 0 ? ['.'] : folders, writes: [] };
}

/** The part of a glob before its first wildcard is a path by itself: `/etc/*.conf` looks into `/etc`. */
export function searchesByName(args: Args): Touch {
  const touch = searchesFolder(args);
  const { pattern } = args;
  if (touch.kind !== 'files' || typeof pattern !== 'string') return unclear('it does not give a pattern');
  const names = pattern.split('/');
  const wild = names.findIndex((name) => /[*?[\]{}()!@+\\]/.test(name));
  const fixed = names.slice(0, wild === -1 ? names.length : wild).join('/');
  // Without a wildcard it is the path of one file.
  if (wild === -1) return { ...touch, reads: [...touch.reads, ...(pattern === '' ? [] : [pattern])] };
  if (pattern.startsWith('/')) return { ...touch, reads: [...touch.reads, fixed === '' ? '/' : fixed] };
  if (pattern.split(/[/{},]/).includes('..')) return unclear('its pattern leads out of the folder that it names');
  return touch;
}

export function readsMany({ paths }: Args): Touch {
  const named = Array.isArray(paths) ? texts(paths) : null;
  if (named === null) return unclear('it does not name files');
  const all = named.map((pattern) => searchesByName({ pattern, path: '.' }));
  const found = all.flatMap((touch) => (touch.kind === 'files' ? touch.reads : []));
  return all.find(({ kind }) => kind === 'unclear') ?? { kind: 'files', reads: [...new Set(found)], writes: [] };
}

export function fetchesPage({ url }: Args): Touch {
  return typeof url === 'string' ? { kind: 'url', url } : unclear('it does not give a URL');
}

export function startsAgent(args: Args): Touch {
  const [name] = texts(given(args, ['subagent_type', 'agent'])) ?? [];
  return { kind: 'agent', name: name ?? null };
}

export function usesSkill(args: Args): Touch {
  const [name] = texts(given(args, ['skill', 'name', 'command'])) ?? [];
  return name === undefined ? unclear('it does not name a skill') : { kind: 'skill', name };
}

export function staysInside(): Touch {
  return { kind: 'nothing' };
}

export function asksTheWeb(): Touch {
  return { kind: 'web' };
}

function unclear(reason: string): Touch {
  return { kind: 'unclear', reason };
}
