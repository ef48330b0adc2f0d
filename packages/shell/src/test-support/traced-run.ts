import { canTrace, traceCommands, type Traced, type TracedBox, type TracedCall } from '@attractor/confine/testing';

/**
 * Really runs commands, in a sandbox without network where everything but a scratch folder is read-only, and reports for each what it tried
 * beyond reading: started another program, opened a file for writing, changed a name, opened a connection, read what it must not, or did
 * not end.
 */
export function createTracer(world: World): Tracer | null {
  if (!canTrace()) return null;
  const box = boxOf(world);
  const look = (commands: ReadonlyArray<string>): ReadonlyArray<Trespass> => {
    const traced = traceCommands(commands, box);
    // After one that does not end there is no time for the others.
    if (commands.length > 1 && traced.some(({ status }) => status === null))
      return commands.flatMap((one) => look([one]));
    return commands.flatMap((command, at) => trespassOf(command, traced[at] ?? { calls: [], status: null }, world));
  };
  return (commands) => {
    const parts = Math.ceil(commands.length / AT_ONCE);
    return Array.from({ length: parts }, (_, at) => commands.slice(at * AT_ONCE, (at + 1) * AT_ONCE)).flatMap(look);
  };
}

const AT_ONCE = 25;

/** Gives the commands that did more than read. */
export type Tracer = (commands: ReadonlyArray<string>) => ReadonlyArray<Trespass>;

export type Trespass = { readonly command: string; readonly findings: ReadonlyArray<string> };

/**
 * `project` is shown at `place`; `scratch` is where the trace goes. What lies in `outside` is there to be read, and reading it is told, as
 * is reading one of the `secrets`. `programs` are folders that come first in PATH.
 */
export type World = {
  readonly project: string;
  readonly place: string;
  readonly scratch: string;
  readonly outside?: string;
  readonly secrets?: ReadonlyArray<string>;
  readonly programs?: ReadonlyArray<string>;
};

const ENVIRONMENT = { PATH: '/usr/bin:/bin', HOME: '/home/me', LANG: 'C.UTF-8', GIT_PAGER: 'cat', PAGER: 'cat' };

function trespassOf(command: string, { calls, status }: Traced, world: World): ReadonlyArray<Trespass> {
  const left = calls.length === 0 ? ['left no trace'] : status === null ? ['does not end'] : [];
  const all = [...new Set([...left, ...findings(command, calls), ...reached(calls, world)])];
  return all.length === 0 ? [] : [{ command, findings: all }];
}

/** Everything is read-only, and nothing but the system, the project and what lies outside is there. */
export function boxOf({ project, place, scratch, outside, programs = [] }: World): TracedBox {
  const seen = outside === undefined ? [] : ['--ro-bind', outside, outside];
  return {
    mounts: ['--ro-bind', '/', '/', '--tmpfs', '/tmp', '--tmpfs', '/home', '--ro-bind', project, place, ...seen],
    folder: place,
    logs: scratch,
    variables: { ...ENVIRONMENT, PATH: [...programs, ENVIRONMENT.PATH].join(':') },
    timeoutMs: 60_000,
  };
}

/** Null devices, and git's lock, which it takes to remember unchanged files. */
const EXPECTED_FILE = /^(?:\/dev\/(?:null|tty)|.*\/\.git\/index\.lock)$/;

/** The programs that the named program consists of. */
const PARTS: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ['egrep', ['grep']],
  ['fgrep', ['grep']],
  ['help', 'man preconv tbl nroff col gzip locale groff troff grotty'.split(' ')],
  ['diff3', ['diff']],
  ['locale', ['gzip']],
  ['npm', ['env', 'node']],
  ['tar', 'gzip bzip2 xz lzma zstd lzip lzop compress'.split(' ')],
  ['yq', ['jq']],
  ['zcat', ['gzip']],
  ['gunzip', ['gzip']],
]);

function reached(calls: ReadonlyArray<TracedCall>, world: World): ReadonlyArray<string> {
  const { outside, secrets = [], programs = [] } = world;
  const closed = [...(outside === undefined ? [] : [outside]), ...secrets];
  return calls.flatMap((call) => {
    if (call.kind === 'opens') {
      const isClosed = closed.some((at) => call.real === at || call.real?.startsWith(`${at}/`));
      return isClosed ? [`reads ${call.real}`] : [];
    }
    const isPlanted = call.kind === 'starts' && programs.some((folder) => call.path.startsWith(`${folder}/`));
    return isPlanted ? [`starts ${call.path}`] : [];
  });
}

/** What programs keep for themselves, beside reading: scratch files, a cache of formatted pages, a look whether the machine speaks IPv6. */
const KEEPS: ReadonlyMap<string, RegExp> = new Map([
  ['tac', /\/tmp\/tac\w+/],
  ['java', /\/tmp\/hsperfdata_|\/proc\/self\/coredump_filter|^opens \d+ for writing$/],
  ['help', /\/var\/cache\/man\//],
  ['pip', /^connects$/],
  ['pip3', /^connects$/],
]);

function findings(command: string, calls: ReadonlyArray<TracedCall>): ReadonlyArray<string> {
  const plain = command.replaceAll(/["'\\]/g, '');
  const names = new Set(['bash', ...plain.split(/[\s|&;()<>`=]+/).map(nameOf)]);
  for (const name of names) for (const part of PARTS.get(name) ?? []) names.add(part);
  const kept = [...names].flatMap((name) => KEEPS.get(name) ?? []);
  return calls
    .flatMap((call) => {
      if (call.kind === 'starts') return names.has(nameOf(call.path)) ? [] : [`starts ${call.path}`];
      if (call.kind === 'opens')
        return call.isWriting && !EXPECTED_FILE.test(call.path) ? [`opens ${call.path} for writing`] : [];
      if (call.kind === 'changes') return call.call.includes('index.lock') ? [] : [call.call.slice(0, 120)];
      return /^socket\((?!AF_UNIX|AF_NETLINK)/.test(call.call) ? ['connects'] : [];
    })
    .filter((finding) => !kept.some((own) => own.test(finding)));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
