import type { LlmError, Response } from '@attractor/llm';
import { describe, expect, it } from 'vitest';
import { call, createScriptedClient, failure, type ScriptedClient } from '../testing/scripted-client.ts';
import { countingTool, makeSession, settle } from '../test-support/session-world.ts';
import { resumeSession } from './session.ts';

/** A client whose answers have no words, or fail, and come with a warning. */
function warning(of: Response['warnings'][number], error?: LlmError): ScriptedClient {
  const inner = createScriptedClient(() => ({}));
  return {
    ...inner,
    stream: async function* (request) {
      for await (const event of inner.stream(request)) {
        if (event.kind !== 'FINISH') continue;
        const response = { ...event.response, warnings: [of] };
        yield error === undefined ? { ...event, response } : { kind: 'ERROR', error, partial: response };
      }
    },
  };
}

describe('what a client warns of', () => {
  it('makes an answer without words final, if it is that there are none', async () => {
    const client = warning({ code: 'no_words', message: 'Done.' });
    const { session } = makeSession([], { client });
    await session.submit('go');
    expect(client.requests).toHaveLength(1);
    expect(session.history().at(-1)).toEqual({ kind: 'assistant', content: [] });
    expect(session.state()).toBe('IDLE');
  });

  it('is kept if it fails then', async () => {
    const client = warning({ message: 'odd bytes' }, failure('server', 'down'));
    const { session, events } = makeSession([], { client });
    await session.submit('go');
    await settle();
    expect(events.slice(-3)).toMatchObject([
      { kind: 'WARNING', message: 'odd bytes' },
      { kind: 'ERROR' },
      { kind: 'SESSION_END', reason: 'error' },
    ]);
  });
});

it('a client that is at its limit ends the work of this process: the input goes on when the session is resumed', async () => {
  const script = [{ calls: [call('count')] }, { error: failure('turn_limit', 'enough') }];
  const { session, options, journal, events } = makeSession(script, { tools: [countingTool()] });
  await session.submit('go');
  await settle();
  expect(events.slice(-2)).toMatchObject([
    { kind: 'TURN_LIMIT', reason: 'max_turns' },
    { kind: 'SESSION_END', reason: 'closed' },
  ]);
  expect(session.error()).toBeNull();
  const resumed = resumeSession({ ...options, journal, client: createScriptedClient([{ text: 'Counted.' }]) });
  await resumed.resume();
  expect(resumed.history().map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool_results', 'assistant']);
  await resumed.close();
});
