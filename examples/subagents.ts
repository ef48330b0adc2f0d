/* Two agents work at once for a third: each with its own history, all on the same files. */
import assert from 'node:assert/strict';
import { createSession, profileFor } from '@attractor/agent';
import { call, createMemoryEnvironment, createScriptedClient, type Reply } from '@attractor/agent/testing';
import { messageText } from '@attractor/llm';

const spawn = (id: string, file: string) => call('spawn_agent', { id, instruction: `WRITE ${file}`, model: 'small' });

/** By the beginning of a conversation: what its model says, turn by turn. */
const scripts: ReadonlyArray<readonly [string, (text: string) => ReadonlyArray<Reply>]> = [
  [
    'WRITE',
    (text) => [
      { calls: [call('write_file', { file_path: text.slice(6), content: 'done' })] },
      { text: `I wrote ${text.slice(6)}.` },
    ],
  ],
  [
    'Split',
    () => [
      { calls: [spawn('left', 'left.txt'), spawn('right', 'right.txt')] },
      { calls: [call('wait', { id: 'left' }), call('wait', { id: 'right' })] },
      { text: 'Both are done.' },
    ],
  ],
];
const client = createScriptedClient(({ messages }) => {
  const first = messages.find(({ role }) => role === 'user');
  const text = first === undefined ? '' : messageText(first);
  const script = scripts.find(([start]) => text.startsWith(start))?.[1](text);
  return script?.[messages.filter(({ role }) => role === 'assistant').length] ?? { text: 'Nothing to do.' };
});

const environment = createMemoryEnvironment();
const session = createSession({
  profile: profileFor('anthropic'),
  client,
  environment,
  config: { provider: 'scripted', model: 'large', maxConcurrentSubagents: 2 },
});
const watching = (async () => {
  for await (const event of session.events()) {
    if (event.kind === 'SUBAGENT_EVENT' && event.event.kind === 'TOOL_CALL_START')
      console.log(`${event.subagentId} → ${event.event.toolName}`);
  }
})();
await session.submit('Split the work.');
await session.close();
await watching;

assert.deepEqual(Object.keys(environment.files()).toSorted(), ['left.txt', 'right.txt']);
assert.deepEqual(
  session.subagents().map(({ id, status, result }) => [id, status, result?.success, result?.turnsUsed]),
  [
    ['left', 'completed', true, 1],
    ['right', 'completed', true, 1],
  ],
);
assert.deepEqual(new Set(client.requests.map(({ model }) => model)), new Set(['large', 'small']));
