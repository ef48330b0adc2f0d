import { expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { policyOf } from './test-support/rules.ts';

it('"allow always" is offered only where there is a rule for each part that asks: with some of them it would ask again', async () => {
  const policy = policyOf({}, { root: makeFolder() });
  const needsOf = async (command: string) => (await policy.judge({ toolName: 'shell', args: { command } })).needs;
  expect(await needsOf('npm ci && make')).toEqual(['Bash(npm ci)', 'Bash(make)']);
  for (const hard of ['git commit -m "two words"', 'touch *.txt', 'eval "$x"']) {
    expect([hard, await needsOf(`npm ci && ${hard}`)]).toEqual([hard, undefined]);
    expect([hard, await needsOf(`${hard}; npm ci`)]).toEqual([hard, undefined]);
  }
});
