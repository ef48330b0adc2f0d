/* One question to a scripted model over real HTTP; swap the address and the key for a real service. */
import assert from 'node:assert/strict';
import { createClient, generate } from '@attractor/llm';
import { loadScript, startSimulator } from '@attractor/simulator';

const loaded = loadScript('{ "turns": [{ "text": "Hello from a scripted model." }] }');
assert.ok(loaded.ok);
const simulator = await startSimulator({ script: loaded.script });
const anthropic = { apiKey: 'none', baseUrl: simulator.baseUrls.anthropic };
const client = createClient({ configuration: { providers: { anthropic } } });

const answer = await generate({ client, provider: 'anthropic', model: 'claude-sonnet-4-5', prompt: 'Say hello.' });

assert.equal(answer.text, 'Hello from a scripted model.');
console.log(answer.text);
await client.close();
await simulator.close();
