import type { AgentPort } from '../converse/agent-port.ts';
import type { Tty } from './keyboard.ts';

/** How the conversation begins: with words, with an earlier session, or with a choice among them. */
export type Start = {
  readonly question?: string;
  /** `latest`: the newest of this folder; `choose`: the person picks one. */
  readonly resume?:
    | { readonly type: 'latest' }
    | { readonly type: 'choose' }
    | { readonly type: 'id'; readonly id: string };
};

export type TerminalAppOptions = {
  readonly tty: Tty;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly folder: string;
  readonly start: Start;
  /** Nothing on the screen moves by itself. */
  readonly isStill: boolean;
  /** Everything that takes time to load. What it throws is shown: it says what to do. */
  readonly load: () => Promise<AgentPort>;
  /** The text as a person left it in their own editor; null: it could not be edited. */
  readonly editText: (text: string, name: string) => Promise<string | null>;
};
