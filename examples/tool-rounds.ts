/* A model that calls one of our tools twice before it answers, on each of the four protocols. */
import assert from 'node:assert/strict';
import { createClient, generate } from '@attractor/llm';
import { parseScript, startSimulator } from '@attractor/simulator';

const script = parseScript({
  turns: [
    { toolCalls: [{ name: 'add', args: { a: 2, b: 3 } }] },
    { expect: { toolResult: '5' }, toolCalls: [{ name: 'add', args: { a: 5, b: 4 } }] },
    { expect: { toolResult: '9' }, text: 'The sum is 9.' },
  ],
});
assert.ok(script.ok);
const simulator = await startSimulator({ script: script.script });

const add = {
  name: 'add',
  description: 'Adds two numbers.',
  parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  execute: async (args: Readonly<Record<string, unknown>>) => String(Number(args['a']) + Number(args['b'])),
};

for (const provider of ['anthropic', 'openai', 'openai-chat', 'gemini'] as const) {
  const client = createClient({
    configuration: { providers: { [provider]: { apiKey: 'none', baseUrl: simulator.baseUrls[provider] } } },
  });
  const answer = await generate({
    client,
    provider,
    model: 'any-model',
    prompt: 'Add 2, 3 and 4.',
    tools: [add],
    maxToolRounds: 5,
  });
  assert.equal(answer.text, 'The sum is 9.');
  assert.equal(answer.steps.length, 3);
  console.log(`${provider}: ${answer.text}`);
  await client.close();
}
await simulator.close();
