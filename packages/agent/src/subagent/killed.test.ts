import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readJournal } from '@attractor/journal';
import { bundledProgram, makeFolder } from '@attractor/base/testing';

const program = new URL('../test-support/killable-parent-child.ts', import.meta.url).pathname;

/** Runs the program until it has shown `kind` so often, and a moment longer; the exit code when it ended by itself. */
async function runUntil(root: string, kind: string, times: number): Promise<'killed' | number | null> {
  const child = spawn(process.execPath, [bundledProgram(program), root], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let seen = '';
  const reached = new Promise<'reached'>((resolve) => {
    child.stdout.on('data', (text) => {
      seen += String(text);
      if (seen.split('\n').filter((line) => line === kind).length >= times) resolve('reached');
    });
  });
  const first = await Promise.race([ended, reached]);
  if (first !== 'reached') return first;
  await wait(20);
  child.kill('SIGKILL');
  await ended;
  return 'killed';
}

describe('SIGKILL of a process with a subagent at work', () => {
  it('loses nothing of parent or child: the child is told as interrupted, goes on when it is asked to, and no effect is doubled', async () => {
    const root = makeFolder();
    expect(await runUntil(root, 'SUBAGENT_START', 1)).toBe('killed');
    expect(await runUntil(root, 'TOOL_CALL_START', 4)).toBe('killed');
    expect(await runUntil(root, 'SESSION_RESUMED', 2)).toBe('killed');
    expect(await runUntil(root, 'TOOL_CALL_END', 3)).toBe('killed');
    writeFileSync(path.join(root, 'enough'), '');
    expect(await runUntil(root, 'never', 1)).toBe(0);

    const parent = readJournal(path.join(root, 'state', 'session.jsonl')).records.map(({ event }) => event);
    const folder = path.join(root, 'state', 'session.subagents');
    const journals = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    expect(journals).toHaveLength(1);
    const child = readJournal(path.join(folder, journals[0] ?? '')).records.map(({ event }) => event);

    expect(parent.findLast(({ kind }) => kind === 'SUBAGENT_END')).toMatchObject({
      status: 'completed',
      result: { success: true },
    });
    expect(parent.filter((event) => event['status'] === 'interrupted').length).toBeGreaterThan(0);
    const ids = child.filter(({ kind }) => kind === 'TOOL_CALL_END').map((event) => event['toolCallId']);
    expect(ids).toEqual(ids.map((_, step) => `step-${step}`));
    // Every call may have been cut off before it did anything.
    const file = path.join(root, 'effects');
    const effects = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    expect(new Set(effects).size).toBe(effects.length);
    const whole = child.filter((event) => event.kind === 'TOOL_CALL_END' && event['isError'] === false);
    expect(effects).toEqual(expect.arrayContaining(whole.map((event) => event['toolCallId'])));
  });
});
