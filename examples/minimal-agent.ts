/* An agent in a folder: it looks, edits and runs a command. The model is scripted; with a key, use a real one instead. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalExecutionEnvironment, createSession, profileFor } from '@attractor/agent';
import { createClient } from '@attractor/llm';
import { startSimulator } from '@attractor/simulator';

const folder = mkdtempSync(join(tmpdir(), 'minimal-agent-'));
writeFileSync(join(folder, 'sum.js'), 'export const sum = (a, b) => a - b;\n');

const simulator = await startSimulator({
  script: {
    turns: [
      { text: 'I look.', toolCalls: [{ use: 'read', path: 'sum.js' }] },
      { toolCalls: [{ use: 'edit', path: 'sum.js', old: 'a - b', new: 'a + b' }] },
      { toolCalls: [{ use: 'shell', command: 'cat sum.js' }] },
      { expect: { toolResult: 'a + b' }, text: 'Fixed: sum adds.' },
    ],
  },
});
const anthropic = { apiKey: 'none', baseUrl: simulator.baseUrls.anthropic };
const client = createClient({ configuration: { providers: { anthropic } } });

const session = createSession({
  profile: profileFor('anthropic'),
  environment: createLocalExecutionEnvironment(folder),
  client,
  config: { provider: 'anthropic', model: 'claude-sonnet-4-5' },
});
const watching = (async () => {
  for await (const event of session.events()) {
    if (event.kind === 'ASSISTANT_TEXT_DELTA') process.stdout.write(event.text);
    if (event.kind === 'TOOL_CALL_START') console.log(`\n→ ${event.toolName} ${JSON.stringify(event.args)}`);
  }
})();

await session.submit('sum is wrong: fix it.');
await session.close();
await watching;

assert.equal(session.error(), null);
assert.match(readFileSync(join(folder, 'sum.js'), 'utf8'), /a \+ b/);
console.log(`\n${session.usage().totalTokens} tokens`);
await client.close();
await simulator.close();
rmSync(folder, { recursive: true });
