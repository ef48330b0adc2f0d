import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../agent.ts';
import { makeRun } from './world.ts';

/**
 * What every agent must satisfy. `works`: changes "hello" in greeting.txt to "good-bye", asks once to run a command, then reports
 * `pr_ready`. `fails`: ends with an error. `hangs`: says something, then works until it is stopped. Each call creates a fresh agent.
 */
export type AgentMakers = {
  readonly works: () => Promise<Agent>;
  readonly fails: () => Promise<Agent>;
  readonly hangs: () => Promise<Agent>;
  /** For an agent that can only report by its output: it asks nobody, and its outcome is in the markers of its last text. */
  readonly tellsByOutput?: true;
};

export function describeAgent(name: string, make: AgentMakers): void {
  describe(`${name} as an agent`, () => {
    itWorks(make);
    itEnds(make);
  });
}

function itWorks(make: AgentMakers): void {
  it('changes files in the folder it was given, asks before a command, and reports its outcome', async () => {
    const agent = await make.works();
    const { options, heard } = await makeRun();
    const result = await agent.run(options);
    expect(result.exitCode).toBe(0);
    expect(make.tellsByOutput ? result.finalText : `<<<OUTCOME:${result.outcome}>>>`).toContain(
      '<<<OUTCOME:pr_ready>>>',
    );
    expect(readFileSync(join(options.projectPath, 'greeting.txt'), 'utf8')).toBe('good-bye\n');
    expect(heard.asked).toHaveLength(make.tellsByOutput ? 0 : 1);
    expect(heard.messages.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['text', 'tool_call', 'tool_result', 'usage']),
    );
    expect(new Set(heard.messages.map(({ key }) => key)).size).toBe(heard.messages.length);
  });

  it('called again after it ended, tells the same and does nothing twice', async () => {
    const agent = await make.works();
    const first = await makeRun();
    const result = await agent.run(first.options);
    const again = await makeRun({ statePath: first.options.statePath, projectPath: first.options.projectPath });
    expect(await agent.run(again.options)).toEqual(result);
    expect(again.heard.messages.slice(0, first.heard.messages.length)).toEqual(first.heard.messages);
    expect(again.heard.asked).toEqual([]);
  });

  it('changes nothing in a run that only reads', async () => {
    const agent = await make.works();
    const { options } = await makeRun({ readOnly: true });
    await agent.run(options);
    expect(readFileSync(join(options.projectPath, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });
}

function itEnds(make: AgentMakers): void {
  it('answers a failure as a value', async () => {
    const agent = await make.fails();
    const { options } = await makeRun();
    const result = await agent.run(options);
    expect(result.exitCode).not.toBe(0);
    expect(result.error).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      retryable: expect.any(Boolean),
    });
  });

  it('ends soon when it is stopped, for whatever reason', async () => {
    const stopped = async (reason: string): Promise<void> => {
      const agent = await make.hangs();
      const stop = new AbortController();
      const { options } = await makeRun({ abortSignal: stop.signal, onMessage: () => stop.abort(reason) });
      expect((await agent.run(options)).exitCode).not.toBe(0);
      expect(stop.signal.aborted).toBe(true);
    };
    await Promise.all(['user_cancelled', 'timeout', 'shutdown'].map(stopped));
  });

  it('says that it is available and names its defaults', async () => {
    const agent = await make.works();
    expect(await agent.isAvailable()).toEqual({ available: true });
    expect(agent.getDefaultConfig()).toMatchObject({
      maxTurns: 50,
      timeout: 600_000,
      autoCommit: true,
      branchPrefix: 'agent/',
    });
  });
}
