import type { Candidate } from '../complete/completion.ts';
import type { Loaded, Acts } from '../converse/world.ts';
import type { Line } from '../themes/line.ts';

/** What a slash command works on. */
export type CommandContext = Acts & {
  readonly loaded: Loaded;
  /** Says something to the model, as if it had been typed. */
  readonly say: (text: string) => void;
  readonly tell: (text: string) => void;
  readonly goTo: (sessionId: string) => Promise<void>;
  readonly setVi: (isOn: boolean) => void;
};

/** A command that a person types: `/name arguments`. */
export type SlashCommand = {
  readonly name: string;
  readonly takes?: string;
  readonly about: string;
  readonly run: (context: CommandContext, text: string) => void | Promise<void>;
  readonly complete?: (context: Pick<CommandContext, 'loaded'>) => ReadonlyArray<Candidate>;
};

const NAME_CELLS = 34;
const NARROW = 70;

/** A row of a list: a name and what it is, side by side where there is room, otherwise one below the other. */
export function listed(name: string, about: string, columns: number): ReadonlyArray<Line> {
  if (columns < NARROW) return [[{ text: `  ${name}`, bold: true }], [{ text: `    ${about}`, role: 'dim' }]];
  return [
    [
      { text: `  ${name.padEnd(NAME_CELLS)}`, bold: true },
      { text: about, role: 'dim' },
    ],
  ];
}
