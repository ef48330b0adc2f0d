/* Your own tool beside those of the profile, and one of the profile's tools replaced. */
import assert from 'node:assert/strict';
import { createAnthropicProfile, createSession, type RegisteredTool } from '@attractor/agent';
import { call, createMemoryEnvironment, createScriptedClient } from '@attractor/agent/testing';

const weather: RegisteredTool = {
  definition: {
    name: 'weather',
    description: 'Tells the weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  // A failure that the model can act on is a value; a throw would be caught and reported as well.
  executor: async ({ city }) =>
    city === 'Rome' ? 'Sunny, 24 degrees.' : { output: `No station in ${String(city)}: try Rome.`, isError: true },
  readOnly: true,
};

const profile = createAnthropicProfile();
profile.toolRegistry.register(weather);
profile.toolRegistry.register({
  definition: { name: 'shell', description: 'Not here.', parameters: { type: 'object' } },
  executor: async () => ({ output: 'There is no shell in this room.', isError: true }),
});

const client = createScriptedClient([
  { calls: [call('weather', { city: 'Atlantis' }), call('weather', {}), call('shell', { command: 'rm -rf /' })] },
  { calls: [call('weather', { city: 'Rome' })] },
  { text: 'Rome is sunny.' },
]);
const session = createSession({
  profile,
  client,
  environment: createMemoryEnvironment(),
  config: { provider: 'scripted', model: 'scripted' },
});
await session.submit('How is the weather?');
await session.close();

const results = session.history().flatMap((turn) => (turn.kind === 'tool_results' ? turn.results : []));
for (const { output } of results) console.log(output);
assert.deepEqual(
  results.map(({ isError }) => isError),
  [true, true, true, false],
);
assert.match(results[1]?.output ?? '', /city/);
