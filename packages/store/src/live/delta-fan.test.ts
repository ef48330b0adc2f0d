import { expect, it } from 'vitest';
import { createDeltaFan } from './delta-fan.ts';

/** What somebody hears who comes now. */
function heard(fan: ReturnType<typeof createDeltaFan>): ReadonlyArray<string> {
  const pieces: string[] = [];
  fan.listen(({ runId, delta }) => void pieces.push(`${runId} ${delta.kind} ${textOf(delta)}`.trim()))();
  return pieces;
}

function textOf(delta: object): string {
  return 'text' in delta && typeof delta.text === 'string' ? delta.text : '';
}

it('who comes late hears the message under way from its beginning, of each run, and nothing that is finished', () => {
  const fan = createDeltaFan();
  const say = (runId: string, text: string) => fan.send({ taskId: 'tsk', runId, delta: { kind: 'text_delta', text } });
  say('run_1', 'Once ');
  say('run_2', 'Other');
  say('run_1', 'upon');
  fan.send({ taskId: 'tsk', runId: 'run_1', delta: { kind: 'tool_output_delta', toolCallId: 'c1', text: 'line' } });
  fan.send({ taskId: 'tsk', runId: 'run_3', delta: { kind: 'notice', text: 'Nothing was heard' } });
  expect(heard(fan)).toEqual([
    'run_1 reset',
    'run_1 text_delta Once upon',
    'run_1 tool_output_delta line',
    'run_2 reset',
    'run_2 text_delta Other',
  ]);
  fan.settle('run_1', { kind: 'text', text: 'Once upon' });
  fan.settle('run_1', { kind: 'tool_result', toolCallId: 'c1' });
  fan.forget('run_2');
  expect(heard(fan)).toEqual([]);
  say('run_1', 'Next');
  expect(heard(fan)).toEqual(['run_1 reset', 'run_1 text_delta Next']);
});

it('keeps the end of a text that does not end', () => {
  const fan = createDeltaFan();
  const text = 'x'.repeat(1_000);
  for (let piece = 0; piece < 2_000; piece += 1)
    fan.send({ taskId: 'tsk', runId: 'run_1', delta: { kind: 'text_delta', text } });
  const [, whole = ''] = heard(fan);
  expect(whole.length).toBeGreaterThan(200_000);
  expect(whole.length).toBeLessThan(402_000);
});
