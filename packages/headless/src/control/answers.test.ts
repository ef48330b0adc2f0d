import type { Line } from '@attractor/stream-json';
import { expect, it } from 'vitest';
import { answerControl } from './answers.ts';
import type { Controlled } from './controlled.ts';

it.each([true, false])(
  'a program hears how full the window is, and whether it is made shorter by itself: %s',
  (compacts) => {
    const lines: Line[] = [];
    const session = { model: 'claude-opus-4-1', tokensInUse: () => 50_000 };
    const controlled = { session, setup: { compacts }, write: (line: Line) => void lines.push(line) };
    const answer = answerControl(controlled as unknown as Controlled);
    answer({ type: 'control_request', request_id: '1', request: { subtype: 'get_context_usage' } });
    expect(lines).toMatchObject([
      {
        type: 'control_response',
        response: {
          subtype: 'success',
          request_id: '1',
          response: { totalTokens: 50_000, maxTokens: 200_000, percentage: 25, isAutoCompactEnabled: compacts },
        },
      },
    ]);
  },
);
