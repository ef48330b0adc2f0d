import { type PlatformEvent, type RawEvent, readEvent } from '@attractor/platform';
import { describe, expect, it } from 'vitest';
import { createStyle } from '@attractor/console';
import { eventLines } from './event-lines.ts';

const style = createStyle(process.stdout, { NO_COLOR: '1' });

const event = (given: Partial<RawEvent>): PlatformEvent =>
  readEvent({
    id: 'evt_1',
    seq: 1,
    at: '2026-01-01T00:00:00.000Z',
    projectId: 'prj_1',
    taskId: 'tsk_1',
    runId: 'run_1',
    category: 'agent',
    type: 'agent.message',
    level: 'info',
    summary: '',
    data: {},
    actor: { type: 'system' },
    ...given,
  });

describe('what a terminal shows of an event', () => {
  it('has a silence of the agent in it, and nothing that could steer the terminal', () => {
    const stalled = event({ type: 'agent.stalled', level: 'warning', summary: 'Nothing was heard\u001b[2J of it.' });
    const [line, ...more] = eventLines(stalled, style);
    expect([line, more]).toEqual([expect.stringMatching(/^ {4}! Nothing was heard.+ of it\.$/), []]);
    expect(line).not.toContain('\u001b');
    expect(eventLines(event({ type: 'run.something_new' }), style)).toEqual([]);
  });

  it('has when a run that failed is tried again', () => {
    const summary = 'Resumes at 19:02';
    const data = { attempt: 2, maxAttempts: 3, of: 'run_0', failure: 'rate limit' };
    const later = event({ type: 'agent.retry_scheduled', level: 'warning', summary, data });
    expect(eventLines(later, style)).toEqual([`  ! ${summary}`]);
  });
});
