/* A message while the agent works, another task queued behind the first one, and a question back to the person. */
import assert from 'node:assert/strict';
import { createSession, profileFor } from '@attractor/agent';
import { call, createMemoryEnvironment, createScriptedClient } from '@attractor/agent/testing';

const question = {
  question: 'Which colour?',
  header: 'Colour',
  options: [{ label: 'Red' }, { label: 'Blue', description: 'Like the sky' }],
};
const client = createScriptedClient([
  { text: 'I look around.', calls: [call('glob', { pattern: '*' })] },
  { text: 'Understood.', calls: [call('AskUserQuestion', { questions: [question] }, 'q')] },
  { text: 'Blue it is.' },
  { text: 'And tidied up.' },
]);
const session = createSession({
  profile: profileFor('anthropic'),
  client,
  environment: createMemoryEnvironment({ files: { 'house.txt': '' } }),
  config: { provider: 'scripted', model: 'scripted' },
  askUser: 'wait',
});
const watching = (async () => {
  for await (const event of session.events()) {
    // Steered in the middle: the model sees it after the tools of this turn.
    if (event.kind === 'TOOL_CALL_START' && event.toolName === 'glob') session.steer('Leave the roof alone.');
    if (event.kind === 'QUESTION_ASKED') {
      assert.equal(session.state(), 'AWAITING_INPUT');
      session.answer(event.toolCallId, { 'Which colour?': 'Blue' });
    }
  }
})();
session.followUp('Then tidy up.');
await session.submit('Paint the house.');
await session.close();
await watching;

const said = session
  .history()
  .map((turn) => `${turn.kind}: ${JSON.stringify('results' in turn ? turn.results[0]?.output : turn.content)}`);
console.log(said.join('\n'));
assert.deepEqual(
  session.history().map(({ kind }) => kind),
  ['user', 'assistant', 'tool_results', 'steering', 'assistant', 'tool_results', 'assistant', 'user', 'assistant'],
);
assert.match(said[5] ?? '', /Blue/);
