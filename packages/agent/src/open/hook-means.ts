import { type Client, responseText, type StreamEvent, userMessage } from '@attractor/llm';
import type { Mcp } from '@attractor/mcp';
import type { AgentDefinition } from '@attractor/settings';
import { toolsWhere } from '@attractor/tool-table';
import type { HookMeans } from '../hooks/by-means.ts';
import { createSession } from '../session/session.ts';
import type { SessionOptions } from '../contract/session.ts';
import { profileForAgent } from '../subagent/agent-profile.ts';

export type MeansSource = {
  readonly client: Client;
  readonly provider: string;
  readonly model: string;
  /** Read at the time of a call: the session is put together after its hooks. */
  readonly session: () => Pick<SessionOptions, 'profile' | 'environment' | 'config' | 'policy'> | null;
  readonly mcp: () => Mcp | null;
};

const JUDGE: AgentDefinition = {
  name: 'hook',
  description: 'Looks at the files to decide one question.',
  prompt:
    'You decide one question about work under way. Look at the files that matter, change nothing, and answer in the form that is asked for.',
  tools: toolsWhere(({ use }) => use === 'look'),
};

const MAX_ROUNDS = 20;

/** What a session lends to its hooks: its model, an agent that only looks, and its servers. */
export function hookMeans({ client, provider, model, session, mcp }: MeansSource): HookMeans {
  return {
    ask: ({ prompt, model: wanted = model, signal }) =>
      answerOf(client.stream({ provider, model: wanted, messages: [userMessage(prompt)], abortSignal: signal })),
    look: async ({ prompt, model: wanted = model, signal }) => {
      const own = session();
      if (own === null) throw new Error('The session is not there yet.');
      const config = { ...own.config, model: wanted, maxTurns: MAX_ROUNDS, maxSubagentDepth: 0 };
      const judge = createSession({ ...own, client, profile: profileForAgent(own.profile, JUDGE), config });
      const stop = (): void => void judge.abort();
      signal.addEventListener('abort', stop, { once: true });
      try {
        await judge.submit(prompt);
        const error = judge.error();
        if (error !== null) throw error;
        const last = judge.history().findLast((turn) => turn.kind === 'assistant');
        return (last?.content ?? []).map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
      } finally {
        signal.removeEventListener('abort', stop);
        await judge.close();
      }
    },
    call: async ({ server, tool, input, signal }) => {
      const name = `mcp__${server}__${tool}`;
      const found = mcp()
        ?.list()
        .find(({ definition }) => definition.name === name);
      if (found === undefined) return { output: `there is no tool ${name} in this session`, isError: true };
      const said = await found.executor(input, null, { toolCallId: name, signal });
      return typeof said === 'string' ? { output: said, isError: false } : said;
    },
  };
}

async function answerOf(events: AsyncIterable<StreamEvent>): Promise<string> {
  for await (const event of events) {
    if (event.kind === 'ERROR') throw event.error;
    if (event.kind === 'FINISH') return responseText(event.response);
  }
  throw new Error('The model gave no answer.');
}
