import { isOrdinaryChange } from './changes.ts';
import { whyNotWrite, whyLastingAccess } from './destructive/lasting-access.ts';
import { destroysMachine, type JudgedCommand } from './destructive/machine.ts';
import { isApproval, isHostileCode } from './destructive/code.ts';
import { writtenBy } from './destructive/writes.ts';
import { worsen, type Draft } from './draft.ts';
import type { PathContext } from './paths.ts';
import { editedBy } from './edits.ts';
import { whyForeign } from './programs.ts';
import type { ReadVerdict } from './reads/arguments.ts';
import { judgeReading } from './reads/index.ts';
import { absolutePath } from './redirections.ts';
import type { ExpandedWord, PipedNames } from './words.ts';

export type CommandContext = {
  readonly pathContext: PathContext;
  /** A `cd` came before. */
  readonly moved: boolean;
  /** What was taken off before it: `timeout`, `nice`. */
  readonly wrappers: ReadonlyArray<string>;
  /** A pipe or a redirection gives it its input. */
  readonly fed: boolean;
  readonly piped: PipedNames | null;
  /** Only look for what must be denied: there are too many commands to allow any of them. */
  readonly brief: boolean;
};

/** The effect of one command's words, by the tables: what destroys, what only reads, what is an ordinary change. */
export function judgeCommand(draft: Draft, circumstances: CommandContext): void {
  const name = draft.words[0];
  if (name === undefined) return;
  const words = draft.words.slice(1);
  judgeDestruction(draft, words, circumstances.pathContext);
  if (draft.effect === 'destructive') return;
  if (circumstances.brief) return worsen(draft, 'unknown', 'one of too many commands');
  if (!name.known || name.glob || !name.plain)
    return worsen(draft, 'unknown', 'which program runs is only known when it runs');
  if (name.text === 'cd' || name.text === 'pushd' || name.text === 'popd') return;
  if (draft.cwds.length === 0) return worsen(draft, 'unknown', 'where it runs is not known');
  const call = {
    name: name.text,
    words,
    cwds: draft.cwds,
    pathContext: circumstances.pathContext,
    moved: circumstances.moved,
    fed: circumstances.fed,
    piped: circumstances.piped,
  };
  const reading = judgeReading(call);
  if ('reads' in reading) return judgeReader(draft, reading, foreignIn(draft, name.text, circumstances));
  const edited = editedBy(call);
  const foreign = edited === null ? null : foreignIn(draft, name.text, circumstances);
  const written =
    edited ?? writtenBy(name.text, words).map((word) => absolutePath(word, draft.cwds, circumstances.pathContext));
  for (const path of written) draft.targets.push({ path, access: 'write', via: 'argument' });
  if (edited !== null && foreign === null) return worsen(draft, 'edit', `${name.text} changes files`);
  worsen(draft, isOrdinaryChange(call) ? 'change' : 'unknown', foreign ?? reading.refused);
}

function foreignIn({ cwds }: Draft, name: string, { wrappers, pathContext }: CommandContext): string | null {
  return pathContext.disk === null ? null : whyForeign(name, { wrappers, cwds, pathContext });
}

type Reading = Extract<ReadVerdict, { readonly reads: unknown }>;

function judgeReader(
  draft: Draft,
  { reads, guarded, repositories, lists, looked }: Reading,
  foreign: string | null,
): void {
  if (foreign !== null) return worsen(draft, 'unknown', foreign);
  for (const path of reads) draft.targets.push({ path, access: 'read', via: 'argument' });
  for (const path of guarded?.paths ?? []) draft.targets.push({ path, access: 'read', via: 'argument', guarded: true });
  if (repositories !== undefined) draft.repositories = repositories;
  if (lists !== undefined) draft.lists = lists;
  if (looked === true) draft.looked = true;
  if (guarded !== undefined) worsen(draft, 'guarded', guarded.why);
}

/** Beyond this a repeated word is analysed once. */
const MANY = 40;

/** Checked for every command, even if a word is unknown: what is visible is enough. */
function judgeDestruction(draft: Draft, all: ReadonlyArray<ExpandedWord>, pathContext: PathContext): void {
  const first = draft.words[0]?.text ?? '';
  const words = all.length > MANY ? [...new Map(all.map((word) => [word.text, word])).values()] : all;
  const name = first.slice(first.lastIndexOf('/') + 1);
  const command: JudgedCommand = { name, words, cwds: draft.cwds.length === 0 ? ['/?'] : draft.cwds, pathContext };
  const reason =
    destroysMachine(command) ??
    whyLastingAccess(command) ??
    isHostileCode(name, words) ??
    (draft.facts.network && isApproval(draft.text) ? "turns off the agent's own guard" : null);
  if (reason !== null) return worsen(draft, 'destructive', reason);
  for (const word of writtenBy(name, words)) {
    const whyNot = whyNotWrite(word, command.cwds, pathContext);
    if (whyNot !== null) return worsen(draft, 'destructive', whyNot);
  }
}
