import { posix } from 'node:path';
import { parse } from 'unbash';
import type { Disk } from './disk.ts';
import { belowRoot, type PathContext } from './paths.ts';
import type { ShellPart, ShellReading, ShellTarget } from './reading.ts';
import { worsen, type Draft } from './draft.ts';
import { judgeScanned } from './judge-scanned.ts';
import { PLACEHOLDER } from './match-rule.ts';
import { screenText } from './screen-text.ts';
import { MOST_PARTS, type State, type Walk } from './walk-state.ts';
import { scanText } from './scan-text.ts';
import { walkExpansions, walkScript } from './walk.ts';

/** `folders`: those of the workspace besides its root. Without a disk to ask, paths are judged by their words alone. */
export type ShellContext = {
  readonly cwd: string;
  readonly root: string;
  readonly home?: string;
  readonly folders?: ReadonlyArray<string>;
  readonly disk?: Disk;
  /** The caller asks git about the `repositories` of each part. Without that, git is only known to read where the command starts. */
  readonly asksGit?: boolean;
};

/**
 * Analyses a bash command without running any of it. Never throws. What can't be parsed is a `problem`: then nothing of it is allowed
 * without asking, while the parsed parts can still be denied.
 */
export function readShell(command: string, context: ShellContext): ShellReading {
  const root = absolute(context.root);
  const pathContext = {
    root,
    roots: [root, ...(context.folders ?? []).map(absolute)],
    home: absolute(context.home ?? '/~'),
    disk: context.disk ?? null,
    asksGit: context.asksGit === true,
  };
  const walk: Walk = {
    source: command,
    pathContext,
    drafts: [],
    problems: [],
    seen: { commands: 0, secretStored: false, carriers: [], fetched: new Set() },
    into: { script: walkScript, expansions: walkExpansions },
  };
  const screened = screenText(command);
  if (screened !== null) walk.problems.push({ reason: screened, part: shown(command) });
  const start: State = {
    cwds: [absolute(context.cwd)],
    moved: false,
    stack: [],
    fed: false,
    piped: null,
    bindings: new Map(),
    loops: 0,
    via: null,
    depth: 0,
  };
  try {
    const scan = command.length > SHORT ? scanText(command) : null;
    if (scan === null || scan.readable) walkScript(parse(command), start, walk);
    else judgeScanned(scan.commands, start, walk);
  } catch {
    walk.problems.push({ reason: UNREADABLE, part: shown(command) });
  }
  if (walk.seen.commands > MOST_PARTS)
    walk.problems.push({ reason: `holds more than ${MOST_PARTS} commands`, part: shown(command) });
  refuseIdleAssignments(walk.drafts);
  refuseNewNames(walk.drafts, pathContext);
  return { parts: walk.drafts.map(partOf), problem: walk.problems[0] ?? null };
}

/** Variables are set for what follows; if nothing does, the command has a purpose that we can't see. */
function refuseIdleAssignments(drafts: ReadonlyArray<Draft>): void {
  const last = drafts.at(-1);
  if (last === undefined || !drafts.every(({ words, assigns }) => words.length === 0 && assigns.length > 0)) return;
  worsen(last, 'unknown', 'sets variables for nothing that follows');
}

/** A list of names was looked up before a file came about whose name would become other words in it. */
function refuseNewNames(drafts: ReadonlyArray<Draft>, pathContext: PathContext): void {
  const isOdd = ({ path, access }: ShellTarget): boolean =>
    access === 'write' && (path === null || ODD_NAME.test(belowRoot(path, pathContext)));
  if (!drafts.some(({ looked }) => looked === true) || !drafts.some(({ targets }) => targets.some(isOdd))) return;
  for (const draft of drafts)
    if (draft.looked === true) worsen(draft, 'unknown', 'another part of the command may change which files there are');
}

const ODD_NAME = /[\s'"\\*?[\]]|\/-/;

/** Most are already absolute and normal. */
function absolute(path: string): string {
  return /^(?:\/[^/.][^/]*)+$/.test(path) ? path : posix.resolve('/', path);
}

/** A shorter command is never slow. */
const SHORT = 160;

/** A bug of ours or of the grammar; the command then asks. */
export const UNREADABLE = 'could not be read';

function partOf(draft: Draft): ShellPart {
  const words = draft.words.map(({ text }) => text);
  const isKnown = draft.words.every(({ known }) => known);
  const part: Writable<ShellPart> = {
    text: draft.text,
    argv: isKnown ? words : null,
    assigns: draft.assigns,
    cwd: draft.cwds.length === 1 ? (draft.cwds[0] ?? null) : null,
    targets: draft.targets,
    effect: draft.effect,
    reason: draft.reason,
  };
  if (draft.unnamed) part.unnamed = true;
  if (!isKnown && isTemplate(draft)) part.template = draft.words.map(({ known, text }) => (known ? text : PLACEHOLDER));
  if (draft.repositories !== undefined) part.repositories = draft.repositories;
  if (draft.lists !== undefined) part.lists = draft.lists;
  if (draft.via !== null) part.via = draft.via;
  if (words.length > 0) part.words = words;
  return part;
}

/** Each part is made in one piece: many are. */
type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** Words that only running tells are arguments of the same program, whatever they become, unless the program itself is one of them. */
function isTemplate({ words, unnamed }: Draft): boolean {
  return !unnamed && words.every(({ known, inert }) => known || inert === true);
}

function shown(command: string): string {
  return command.length > 200 ? `${command.slice(0, 200)}…` : command;
}
