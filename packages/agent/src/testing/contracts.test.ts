import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { makeFolder } from '@attractor/base/testing';
import { createMemoryEnvironment, environmentContract } from './index.ts';

describe('the contract of environments', () => {
  const local = environmentContract(() => ({ environment: createLocalExecutionEnvironment(makeFolder()) }));
  it.each(local)('holds on this machine: $name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  // It starts no programs: what commands do is the caller's function.
  const memory = environmentContract(() => ({ environment: createMemoryEnvironment() }), { commands: 'none' });
  it.each(memory)('holds in memory: $name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
