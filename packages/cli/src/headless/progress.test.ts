import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DeliveredEvent } from '@attractor/journal';
import { putText } from '@attractor/console';
import { startProgress } from './progress.ts';

const call = { toolCallId: 'c1', toolName: 'shell' };
const START = {
  kind: 'TOOL_CALL_START',
  ...call,
  args: { command: 'npm\ntest \u001b[2J' },
} as unknown as DeliveredEvent;
const END = { kind: 'TOOL_CALL_END', ...call, output: '', isError: false } as unknown as DeliveredEvent;

function terminal(isTTY: boolean, columns = 60) {
  let text = '';
  const write = (piece: string | Uint8Array): boolean => Boolean((text += String(piece)));
  return { stream: { isTTY, columns, write }, taken: () => [text, (text = '')][0] };
}

function fakeTime(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

describe('progress', () => {
  it('says in one line what is done and for how long, and leaves the line before anything is printed', () => {
    fakeTime();
    const { stream, taken } = terminal(true);
    const progress = startProgress(stream, {});
    vi.advanceTimersByTime(2_000);
    expect(taken()).toBe('1 s · 0 calls · waiting for the model\r\u001b[2K2 s · 0 calls · waiting for the model');
    progress?.see(START);
    vi.advanceTimersByTime(1_000);
    expect(taken()).toBe('\r\u001b[2K3 s · 0 calls · shell npm test \\u{1b}[2J');
    progress?.see(END);
    putText(stream, 'Done.\n');
    expect(taken()).toBe('\r\u001b[2KDone.\n');
    vi.advanceTimersByTime(1_000);
    expect(taken()).toBe('4 s · 1 call · waiting for the model');
    progress?.stop();
    vi.advanceTimersByTime(5_000);
    expect(taken()).toBe('\r\u001b[2K');
  });

  it('never wraps, and is not shown in a pipe or on a terminal that can’t rewrite a line', () => {
    fakeTime();
    const { stream, taken } = terminal(true, 12);
    const progress = startProgress(stream, {});
    vi.advanceTimersByTime(1_000);
    expect(taken()).toHaveLength(11);
    progress?.stop();
    expect(startProgress(terminal(false).stream, {})).toBeNull();
    expect(startProgress(terminal(true).stream, { TERM: 'dumb' })).toBeNull();
  });
});
