import { expect, it, vi } from 'vitest';
import { makeRun } from '../testing/index.ts';
import { claudeDialogue } from './dialogue.ts';

const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'Done.',
  session_id: 's',
  modelUsage: {},
};

it('a turn that ends with a message unread is followed by the next one, or is the end after a while', async () => {
  const { options } = await makeRun();
  vi.useFakeTimers();
  const [taken, hangUp] = [vi.fn(), vi.fn()];
  const nothing = (): void => undefined;
  const dialogue = claudeDialogue('Claude Code', {
    options,
    prompt: 'Work.',
    session: null,
    reported: null,
    keepSession: nothing,
    keepReport: nothing,
    tell: nothing,
    live: nothing,
    taken,
    silenceMs: 60_000,
  });
  const says = (line: object): void => dialogue.push(Buffer.from(`${JSON.stringify(line)}\n`));
  dialogue.begin({ write: nothing, close: nothing, hangUp });
  dialogue.steer?.({ key: 'msg_1', text: 'Mind the gap.' });
  says(RESULT);
  vi.advanceTimersByTime(59_000);
  says({ type: 'system', subtype: 'init', session_id: 's', model: 'm' });
  vi.advanceTimersByTime(59_000);
  expect([dialogue.ending().isOver, hangUp.mock.calls.length]).toEqual([false, 0]);
  says(RESULT);
  vi.advanceTimersByTime(60_000);
  expect([dialogue.ending().isOver, hangUp.mock.calls.length]).toEqual([true, 1]);
  expect(taken).not.toHaveBeenCalled();
  dialogue.end();
  vi.useRealTimers();
});
