import { ROUTES } from '@attractor/api';
import { isTest, type Tree } from './tree.ts';

/** The page whose table says where each thing can be done. */
export const EVERYTHING_PAGE = 'docs/everything.md';
const TABLE = /^\|[^]*?(?=\n\n)/m;
const HEAD = ['what', 'web app', 'command line', 'API'];

/** The page with the table as the sources have it: a call of the API, the places of the web app and the commands that make it. */
export function withEverything(page: string, tree: Tree): string {
  const [web, commands] = [webPlaces(tree), commandsOf(tree)];
  const rows = Object.entries(ROUTES).flatMap(([noun, routes]) =>
    Object.entries(routes()).map(([call, { method, path, about }]) => {
      const name = `${noun}.${call}`;
      return [about, cell(web, name, WEB_REASONS), cell(commands, name, COMMAND_REASONS), `\`${method} ${path}\``];
    }),
  );
  return page.replace(TABLE, () => drawTable([HEAD, ...rows.map((row) => row.map(escaped))]));
}

type Found = ReadonlyMap<string, ReadonlySet<string>>;

const STEP = 'inbox, task (as a next step)';
const FOLLOWED = '(part of what every place follows)';

/** Why a call is made nowhere by its name: for a whole noun, or for one call. */
const WEB_REASONS: Readonly<Record<string, string>> = {
  access: '(the browser itself: sign in, sign out)',
  'artifacts.list': FOLLOWED,
  'attempts.get': 'compare (with its runs)',
  'branches.merge': STEP,
  'branches.push': STEP,
  'branches.rebase': STEP,
  'branches.resolve': STEP,
  'branches.revert': STEP,
  'checks.ofRun': 'run (with what it follows)',
  'checks.ofTask': 'task (with its runs)',
  coding: '(the same work as a task)',
  events: '(the stream that every place follows)',
  ids: '(addresses take keys as they are)',
  metrics: '(for machines that watch the server)',
  openapi: '(for programs)',
  'pipelines.graph': 'pipelines (drawn in the browser)',
  'projects.get': FOLLOWED,
  'projects.list': FOLLOWED,
  'prompts.answerMany': '(each for itself, with what it is about in view)',
  'prompts.list': FOLLOWED,
  'runs.list': FOLLOWED,
  'tasks.close': STEP,
  'tasks.list': FOLLOWED,
  'tasks.page': FOLLOWED,
  'tasks.phases': FOLLOWED,
  'tasks.splitInto': 'inbox, task (a proposed split)',
  'tasks.startRun': STEP,
  'templates.get': 'settings (in the list)',
  'users.get': 'settings (in the list)',
};
const SHOWN = '(`attractor status` and `attractor tasks watch` show the same)';
const GO_ON = '(`attractor -r`, without a server)';
const COMMAND_REASONS: Readonly<Record<string, string>> = {
  'agents.providers': '(`attractor doctor`)',
  'agents.tools': '(`attractor tool`, without a server)',
  'branches.effects': '(`attractor events list`, as they happen)',
  'branches.lines': '(`git show BRANCH:FILE`)',
  'branches.picture': '(a terminal shows no pictures: `git show BRANCH:FILE`)',
  access: '(`attractor sign-in` makes the address)',
  coding: '(`attractor run`)',
  'events.stream': '(`attractor events list --follow`)',
  health: '(`attractor doctor`)',
  ids: '(every command takes keys)',
  metrics: '(for machines that watch the server)',
  'pipelines.builtIn': '(`attractor pipelines delete` refuses those)',
  'projects.examine': '(`attractor trust` in its folder)',
  'projects.revokeTrust': '(`attractor trust revoke` in its folder)',
  'projects.trust': '(`attractor trust` in its folder)',
  'runs.bundle': '`attractor runs export`',
  sessions: '(`attractor sessions`, without a server)',
  'sessions.answer': GO_ON,
  'sessions.live': GO_ON,
  'sessions.say': GO_ON,
  'sessions.stop': GO_ON,
  'tasks.listView': SHOWN,
  'tasks.split': '(`attractor tasks get`)',
  'tasks.states': SHOWN,
  'tasks.view': SHOWN,
  'users.get': '(`attractor users list`)',
};

function cell(found: Found, name: string, reasons: Readonly<Record<string, string>>): string {
  const places = [...(found.get(name) ?? [])].toSorted();
  if (places.length > 0) return places.slice(0, 3).join(', ');
  return reasons[name] ?? reasons[name.split('.')[0] ?? ''] ?? '(not yet)';
}

/** Which places of the web app make a call; what is held back is sent by whichever client is given. */
function webPlaces(tree: Tree): Found {
  const found = new Map<string, Set<string>>();
  for (const file of ours(tree, 'packages/web/src/'))
    for (const [, noun, call] of tree.read(file).matchAll(/\b(?:api|by)\s*\.(\w+)\s*\.(\w+)/g))
      for (const place of placesOf(file)) add(found, `${noun}.${call}`, place);
  return found;
}

/** A file of a place belongs to it; what several places share is named by its room. */
function placesOf(file: string): ReadonlyArray<string> {
  const own = /places\/([\w-]+)\//.exec(file)?.[1];
  if (own !== undefined) return [own.replaceAll('-', ' ')];
  return SHARED[/src\/(\w+)\//.exec(file)?.[1] ?? ''] ?? ['everywhere'];
}

const SHARED: Readonly<Record<string, ReadonlyArray<string>>> = {
  waiting: ['inbox', 'task'],
  run: ['run'],
  diff: ['inbox', 'task'],
};

/** Files whose command is typed by another name. */
const TYPED: Readonly<Record<string, string>> = { dependencies: 'deps', 'run-config': 'config' };

/** Where a verb begins, and where it ends. */
const VERB_EDGE = /(?=\bverb\()|\n {0,2}\}\)[,;]/;

/** Which commands make a call: those whose verb names it, or the noun whose file does. */
function commandsOf(tree: Tree): Found {
  const found = new Map<string, Set<string>>();
  for (const file of ours(tree, 'packages/cli/src/')) {
    const room = /nouns\/([\w-]+)/.exec(file)?.[1]?.replace(/\.ts$/, '') ?? /commands\/([\w-]+)\.ts$/.exec(file)?.[1];
    const noun = TYPED[room ?? ''] ?? room;
    for (const part of tree.read(file).split(VERB_EDGE)) {
      const verb = part.startsWith('verb(') ? /name: '([\w-]+)'/.exec(part)?.[1] : undefined;
      const name = verb === undefined || verb === noun ? noun : `${noun} ${verb}`;
      for (const [, called, call] of part.matchAll(/\bclient\s*\.(\w+)\s*\.(\w+)/g))
        if (noun !== undefined) add(found, `${called}.${call}`, `\`attractor ${name}\``);
    }
  }
  return found;
}

function ours(tree: Tree, folder: string): ReadonlyArray<string> {
  return tree.files.filter((file) => file.startsWith(folder) && !isTest(file));
}

function add(found: Map<string, Set<string>>, name: string, place: string): void {
  found.set(name, (found.get(name) ?? new Set()).add(place));
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}

function drawTable(rows: ReadonlyArray<ReadonlyArray<string>>): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join('\n');
}
