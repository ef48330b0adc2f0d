import type { AgentSession } from '@attractor/agent';
import type { Named } from './agent-port.ts';

/** Prompts of servers, as commands `mcp__server__prompt`. They are known once a session is open and somebody has asked. */
export type ServerPrompts = {
  readonly list: () => ReadonlyArray<Named>;
  /** Asks the servers, once a session; resolves at once if there is none. */
  readonly ask: () => Promise<void>;
};

export function createServerPrompts(session: () => Pick<AgentSession, 'prompts'> | null): ServerPrompts {
  let list: ReadonlyArray<Named> = [];
  let asked: { readonly of: unknown; readonly answer: Promise<void> } | null = null;
  return {
    list: () => list,
    ask: () => {
      const now = session();
      if (now === null) return Promise.resolve();
      if (asked?.of === now) return asked.answer;
      const answer = now.prompts().then((prompts) => {
        list = prompts.map(({ name, description, arguments: takes }) => ({
          name,
          description: [...takes.map((one) => (one.required ? `<${one.name}>` : `[${one.name}]`)), description].join(
            ' ',
          ),
        }));
      });
      asked = { of: now, answer };
      return answer;
    },
  };
}
