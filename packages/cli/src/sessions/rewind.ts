import { existsSync } from 'node:fs';
import { openUndo, type RewindPreview, type Undo, type UndoOutcome } from '@attractor/undo';
import {
  partsOfRedo,
  type RedoParts,
  type Rewound,
  type Sessions,
  type SessionSummary,
  undoFolder,
} from '@attractor/journal';
import { CommandFailure, EXIT, confirm as ask, readableText } from '@attractor/console';
import { findSession, orFail, sessionsOfHome } from './found.ts';
import { jsonLine, say } from './subcommands.ts';

type RewindFlags = {
  readonly turn?: number;
  readonly redo?: boolean;
  readonly only?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

type Place = { readonly sessions: Sessions; readonly session: SessionSummary; readonly flags: RewindFlags };

/** Shows what will change, asks if files are concerned, then takes conversation and files back (or forward) together. */
export async function rewind(id: string, flags: RewindFlags): Promise<number> {
  checkUsage(flags);
  const sessions = sessionsOfHome();
  const session = findSession(sessions, id);
  const place = { sessions, session, flags };
  const opened = flags.only === 'conversation' ? null : await openFiles(session, flags);
  try {
    const parts = partsOf(place, opened);
    const undo = parts.files ? opened : null;
    const target = flags.redo === true ? ({ redo: true } as const) : { seq: seqOf(place) };
    const files = undo === null ? null : value(await undo.preview(target));
    if (files !== null) await showFiles(files, flags);
    if (flags.dryRun === true) return EXIT.done;
    if (files !== null && files.changes.length > 0) await confirm(flags);
    const conversation = parts.conversation ? orFail(sessions.rewind(session.id, wish(flags))) : null;
    if (undo !== null) {
      const moment = { seq: seqOfFiles(place, conversation) };
      const outcome = 'redo' in target ? await undo.redo(moment) : await undo.rewind(target, moment);
      if (!outcome.ok) takeBack(place, conversation);
      value(outcome);
    }
    await tell(place, conversation);
    return EXIT.done;
  } finally {
    await opened?.close();
  }
}

/** A redo restores what the last rewind took, and no more. */
function partsOf({ sessions, session, flags }: Place, undo: Undo | null): RedoParts {
  if (flags.redo !== true || flags.only !== undefined)
    return { conversation: flags.only !== 'files', files: flags.only !== 'conversation' };
  return orFail(partsOfRedo(sessions, session.id, undo));
}

/** Files that go along are recorded under the rewind of the conversation; files alone have their own position. */
function seqOfFiles({ sessions, session, flags }: Place, conversation: Rewound | null): number {
  if (conversation !== null && conversation.seq > session.lastSeq) return conversation.seq;
  return flags.redo === true ? session.lastSeq : orFail(sessions.rewind(session.id, { files: true })).seq;
}

function checkUsage({ turn, redo, only }: RewindFlags): void {
  if ((turn === undefined) === (redo !== true)) throw new CommandFailure('give --turn or --redo.', EXIT.usage);
  if (only !== undefined && only !== 'conversation' && only !== 'files')
    throw new CommandFailure(`--only takes conversation or files, not '${only}'.`, EXIT.usage);
}

function wish({ turn }: RewindFlags): { readonly turn: number } | { readonly redo: true } {
  return turn === undefined ? { redo: true } : { turn };
}

/** Null if the session took no snapshots. */
async function openFiles(session: SessionSummary, { only }: RewindFlags): Promise<Undo | null> {
  const statePath = undoFolder(session);
  if (existsSync(statePath) && existsSync(session.cwd))
    return value(await openUndo({ workspace: session.cwd, statePath })).undo;
  if (only !== 'files') return null;
  throw new CommandFailure(
    'this session kept no snapshots of files: only its conversation can be rewound.',
    EXIT.refused,
  );
}

/** The last record of the turn that is kept; for none, the first input, before which the files were kept as they had been. */
function seqOf({ sessions, session, flags }: Place): number {
  for (const entry of sessions.turns(session.id)) {
    if (flags.turn === 0) return entry.seq;
    if (entry.turn === flags.turn) return entry.endSeq;
  }
  throw new CommandFailure(`there is no turn ${flags.turn ?? 0}: the session has ${session.turns}.`, EXIT.refused);
}

async function showFiles({ changes, kept }: RewindPreview, { json }: RewindFlags): Promise<void> {
  if (json === true) return say(jsonLine({ changes, kept }));
  const lines = [
    ...changes.map(({ path, change }) => `${BACK[change]} ${path}`),
    ...kept.map(({ path, reason }) => `kept (${reason}) ${path}`),
  ];
  await say(lines.map((line) => `${readableText(line)}\n`).join(''));
}

const BACK: Readonly<Record<RewindPreview['changes'][number]['change'], string>> = {
  added: 'brings back',
  modified: 'changes',
  deleted: 'removes',
};

async function confirm({ yes }: RewindFlags): Promise<void> {
  if (yes === true) return;
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CommandFailure('files would change: give --yes to do it, or --only conversation.', EXIT.refused);
  if (!(await ask('Change these files?'))) throw new CommandFailure('nothing was changed.', EXIT.refused);
}

/** Files and conversation go together: if the files can't, the conversation returns to where it was. */
function takeBack({ sessions, session }: Place, done: Rewound | null): void {
  if (done !== null && done.seq > session.lastSeq) orFail(sessions.rewind(session.id, { takeBack: true }));
}

async function tell({ session, flags }: Place, conversation: Rewound | null): Promise<void> {
  if (flags.json === true) return say(jsonLine({ id: session.id, ...conversation }));
  if (conversation === null) return say('The files are restored.\n');
  await say(`The conversation has ${conversation.turn} turns now (before: ${conversation.turnsBefore}).\n`);
}

function value<Value>(outcome: UndoOutcome<Value>): Value {
  if (outcome.ok) return outcome.value;
  const isTooOld = outcome.error.code === 'unknown_target';
  throw new CommandFailure(isTooOld ? TOO_OLD : outcome.error.message, EXIT.refused);
}

const TOO_OLD =
  'the files of that time were not kept: choose a later turn (`attractor sessions show` lists them), or rewind only the conversation with --only conversation.';
