import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient, modelFor } from '@attractor/llm';
import { createCliAgent } from './cli.ts';
import { readCliDefinition } from './cli/definition.ts';
import { createNativeAgent } from './native.ts';
import { RUN_DEFAULTS } from '@attractor/facts';
import { createScriptedAgent } from './scripted.ts';

it('every agent begins with the same defaults', () => {
  const read = readCliDefinition({ type: 'cli', command: ['agent', '{prompt}'] });
  if (!read.ok) throw new Error(read.problem);
  const agents = [
    createNativeAgent({ client: createClient({ configuration: {} }), defaultProvider: 'anthropic' }),
    createScriptedAgent([]),
    createCliAgent({ type: 'sample', definition: read.value, env: {} }),
  ];
  for (const agent of agents) expect(agent.getDefaultConfig()).toMatchObject(RUN_DEFAULTS);
});

it.each(['anthropic', 'openai', 'gemini'])('tasks ask the model of %s that a line without one asks', (provider) => {
  const native = createNativeAgent({ client: createClient({ configuration: {} }), defaultProvider: provider });
  const ofLine = modelFor(provider, { flags: {}, settings: {}, llm: {} });
  expect(ofLine).toBeTypeOf('string');
  expect(native.getDefaultConfig().model).toBe(ofLine);
});

it('the page on projects shows the defaults as they are', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/projects.md'), 'utf8');
  expect(page).toContain(`"maxTurns": ${RUN_DEFAULTS.maxTurns}, "timeout": ${RUN_DEFAULTS.timeout}`);
});
