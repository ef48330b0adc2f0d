import { call, createScriptedClient } from '@attractor/agent/testing';
import { expect, it } from 'vitest';
import { agentIn, makePlace } from '../test-support/app-world.ts';
import { runPlainApp } from './plain-app.ts';

it('for a screen reader it is lines that are written once, with numbered choices', async () => {
  const place = makePlace();
  const client = createScriptedClient([
    { calls: [call('shell', { command: 'touch never' })] },
    { text: 'I **understand**.' },
  ]);
  let shown = '';
  const waits = async (text: string): Promise<void> => {
    for (let tries = 0; !shown.includes(text); tries += 1) {
      if (tries > 1_500) throw new Error(`never said ${text}:\n${shown}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  async function* typed(): AsyncGenerator<string> {
    yield 'touch it';
    await waits('Answer with a number');
    yield 'what?';
    await waits('not one of the choices');
    yield 'n not now';
    await waits('I understand.');
    yield '/status';
    await waits('permissions default');
    yield '/exit';
    await waits('Continue with');
  }
  const exitCode = await runPlainApp({
    ...place,
    env: {},
    start: {},
    load: () => agentIn(place, client),
    editText: async () => null,
    lines: typed(),
    put: (text) => {
      shown += text;
    },
    onStop: () => undefined,
  });
  expect(exitCode, shown).toBe(0);
  expect(shown).toMatch(
    /Working\.[^]*Bash wants to run\n {2}touch never[^]*1\. Yes, once[^]*Denied: not now[^]*Ready\./,
  );
  expect(shown).not.toContain('\u001b');
});
