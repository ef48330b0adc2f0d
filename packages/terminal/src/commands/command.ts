import type { Candidate } from '../complete/completion.ts';
import type { Loaded, Acts } from '../converse/world.ts';

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
