import type { Candidate, Completable } from '../complete/completion.ts';
import type { FileNames } from '../complete/files.ts';
import type { Telling } from '../conversation/telling.ts';
import type { DraftFile, SentInput } from '../editor/draft-file.ts';
import type { Editing } from '../editor/editing.ts';
import type { PastInputs } from '../editor/past-inputs.ts';
import type { Panel } from '../prompts/panel.ts';
import type { Screen } from '../screen/screen.ts';
import type { ChoicesFile } from '../themes/choices.ts';
import type { Line } from '../themes/line.ts';
import type { AgentPort } from './agent-port.ts';
import type { Conversing } from './conversing.ts';
import type { ServerPrompts } from './server-prompts.ts';

/** What is there once the agent has been loaded. */
export type Loaded = {
  readonly port: AgentPort;
  readonly conversing: Conversing;
  readonly telling: Telling;
  readonly files: FileNames;
  readonly prompts: ServerPrompts;
};

export type Searching = { readonly text: string; readonly index: number; readonly found: string | null };

/** Everything that the screen shows and that keys change. */
export type World = {
  editing: Editing;
  /** The input of the past that is in the editor, and what was written before it was fetched. */
  browsing: { readonly at: number; readonly kept: Editing } | null;
  searching: Searching | null;
  completion: { readonly of: Completable; readonly candidates: ReadonlyArray<Candidate>; readonly at: number } | null;
  panel: Panel | null;
  /** Which of the things that were asked the panel is for; null: it was opened by a key or a command. */
  panelFor: number | null;
  loaded: Loaded | null;
  /** SentInput before the agent was loaded. */
  early: ReadonlyArray<string>;
  /** SentInput to an earlier process that ended before a session had it. */
  left: ReadonlyArray<SentInput>;
  /** What the person's own status line says; null: they have none. */
  status: ReadonlyArray<Line> | null;
  /** Told when vi changes between its modes; null: nobody wants to know. */
  onViMode: (() => void) | null;
  /** One line below the editor that goes with the next key. */
  hint: string;
  lastKeyAt: number;
  lastStopAt: number;
  lastEscapeAt: number;
  /** Output of a person's own commands, which the model is told with the next input. */
  ran: ReadonlyArray<string>;
  /** A person's own command that runs now. */
  running: { readonly command: string; readonly stop: () => void; output: string } | null;
  /** The last turn of the session was cut off. */
  isUnfinished: boolean;
  /** What must be done before anything else is said; empty: nothing. */
  first: string;
};

/** What acts on the world: the same for keys, commands and events. */
export type Acts = {
  readonly world: World;
  readonly screen: Screen;
  readonly past: PastInputs;
  readonly draft: DraftFile;
  readonly choices: ChoicesFile;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (lines: ReadonlyArray<Line>) => void;
  readonly show: (panel: Panel | null) => void;
  readonly exit: (code?: number) => void;
  /** The text as a person left it in their own editor; null: they left it as it was, or it could not be edited. */
  readonly editOutside: (text: string, name: string) => Promise<string | null>;
};

export function isWorking(world: World): boolean {
  return (world.loaded?.conversing.workingSince() ?? null) !== null || world.running !== null;
}
