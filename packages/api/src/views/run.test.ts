import { describe, expect, it } from 'vitest';
import { toEvent } from '../test-support/log.ts';
import { foldDelta, NO_LIVE_TEXT, settleLiveText } from './live-text.ts';
import { emptyRunView, runView } from './run.ts';

const event = (seq: number, type: string, data: Readonly<Record<string, unknown>>) =>
  toEvent({ seq, type, data, runId: 'run_1' });
const message = (seq: number, body: Readonly<Record<string, unknown>>) =>
  event(seq, 'agent.message', { message: { key: `k${seq}`, ...body } });
const usage = (costUsd: number | null) => ({
  kind: 'usage',
  model: 'm',
  usage: { inputTokens: 10, outputTokens: 2 },
  costUsd,
});

describe('the view of a run', () => {
  it('groups the transcript by turn and joins calls with their results', () => {
    const view = runView.foldAll(emptyRunView('run_1'), [
      message(1, { kind: 'thinking', text: 'Where is it?' }),
      message(2, { kind: 'text', text: 'I look.' }),
      message(3, { kind: 'tool_call', toolCallId: 'c1', toolName: 'read_file', input: { path: 'a' } }),
      message(4, { kind: 'tool_call', toolCallId: 'c2', toolName: 'grep', input: { pattern: 'b' } }),
      message(5, usage(0.25)),
      message(6, { kind: 'tool_result', toolCallId: 'c2', toolName: 'grep', output: 'none', isError: true }),
      message(7, { kind: 'tool_result', toolCallId: 'c1', toolName: 'read_file', output: 'text', isError: false }),
      message(8, { kind: 'text', text: 'Done.' }),
      message(9, usage(0.5)),
    ]);
    expect(view.turns.map((turn) => turn.pieces.map((piece) => piece.kind))).toEqual([
      ['thinking', 'text', 'tool', 'tool'],
      ['text'],
    ]);
    const tools = view.turns.flatMap((turn) => turn.pieces.filter((piece) => piece.kind === 'tool'));
    expect(tools.map((tool) => [tool.toolName, tool.result?.output, tool.result?.isError])).toEqual([
      ['read_file', 'text', false],
      ['grep', 'none', true],
    ]);
    expect(view.spent).toMatchObject({ inputTokens: 20, outputTokens: 4, costUsd: 0.75 });
  });

  it('shows a silence that was noticed where it was', () => {
    const view = runView.foldAll(emptyRunView('run_1'), [
      message(1, { kind: 'text', text: 'I look.' }),
      toEvent({ seq: 2, type: 'agent.stalled', runId: 'run_1', summary: 'Nothing was heard.', data: {} }),
      message(3, { kind: 'text', text: 'Done.' }),
    ]);
    const pieces = view.turns.flatMap((turn) => turn.pieces);
    expect(pieces.map((piece) => ('text' in piece ? [piece.kind, piece.text] : []))).toEqual([
      ['text', 'I look.'],
      ['notice', 'Nothing was heard.'],
      ['text', 'Done.'],
    ]);
  });

  it('groups the same when a reply tells its cost before its tools, one after the other', () => {
    const call = (seq: number, id: string) =>
      message(seq, { kind: 'tool_call', toolCallId: id, toolName: 'shell', input: {} });
    const result = (seq: number, id: string) =>
      message(seq, { kind: 'tool_result', toolCallId: id, toolName: 'shell', output: '', isError: false });
    const view = runView.foldAll(emptyRunView('run_1'), [
      message(1, { kind: 'text', text: 'First.' }),
      message(2, usage(0.25)),
      call(3, 'c1'),
      result(4, 'c1'),
      call(5, 'c2'),
      result(6, 'c2'),
      message(7, usage(0.25)),
      call(8, 'c3'),
      result(9, 'c3'),
      message(10, { kind: 'text', text: 'Done.' }),
      message(11, usage(0.25)),
    ]);
    expect(view.turns.map((turn) => turn.pieces.map((piece) => piece.kind))).toEqual([
      ['text', 'tool', 'tool'],
      ['tool'],
      ['text'],
    ]);
    expect(view.turns.every((turn) => turn.spent?.costUsd === 0.25)).toBe(true);
  });

  it('never guesses a cost: one unknown price makes the sum unknown', () => {
    const view = runView.foldAll(emptyRunView('run_1'), [
      message(1, usage(1)),
      message(2, usage(null)),
      message(3, usage(1)),
    ]);
    expect(view.spent.costUsd).toBeNull();
  });

  it('passes over a message that is told again after a restart', () => {
    const told = { message: { key: 'same', kind: 'text', text: 'once' } };
    const view = runView.foldAll(emptyRunView('run_1'), [
      event(1, 'agent.message', told),
      event(2, 'agent.message', told),
    ]);
    expect(view.turns.flatMap((turn) => turn.pieces)).toHaveLength(1);
  });

  it('shows the ten steps with their time, and counts a step begun again', () => {
    const view = runView.foldAll(emptyRunView('run_1'), [
      event(1, 'run.step_started', { step: 'prepare' }),
      event(4, 'run.step_finished', { step: 'prepare' }),
      event(5, 'run.step_started', { step: 'context' }),
      event(9, 'run.step_started', { step: 'context' }),
    ]);
    expect(view.steps).toHaveLength(10);
    expect(view.steps[0]).toMatchObject({ state: 'done', durationMs: 3000 });
    expect(view.steps[1]).toMatchObject({ state: 'running', attempts: 2 });
    expect(view.steps[2]).toMatchObject({ state: 'pending' });
  });
});

describe('live text', () => {
  it('grows by deltas and gives way to the finished message', () => {
    let live = foldDelta(NO_LIVE_TEXT, { delta: { kind: 'text_delta', text: 'Hel' } });
    live = foldDelta(live, { delta: { kind: 'text_delta', text: 'lo' } });
    live = foldDelta(live, { delta: { kind: 'tool_output_delta', toolCallId: 'c1', text: 'line' } });
    expect(live).toMatchObject({ text: 'Hello', toolOutput: { c1: 'line' } });
    live = settleLiveText(live, message(1, { kind: 'text', text: 'Hello' }));
    expect(live).toMatchObject({ text: '', toolOutput: { c1: 'line' } });
    expect(foldDelta(live, { delta: { kind: 'reset' } })).toEqual(NO_LIVE_TEXT);
    expect(foldDelta(live, { delta: { kind: 'unheard_of' } })).toBe(live);
  });
});
