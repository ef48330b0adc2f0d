import { describe, expect, it } from 'vitest';
import {
  type Delivery,
  EVENT_TYPES,
  type Notification,
  NOTIFICATION_TYPES,
  type PlatformEvent,
  type RawEvent,
  readEvent,
} from '@attractor/store';
import { projectRow, runRow, taskRow } from '@attractor/store/testing';
import { isWanted, readChannelSettings } from './channel-settings.ts';
import { digestOf } from './digest.ts';
import { backOff, LONGEST_WAIT_MS, nextMove, PACE } from './next-move.ts';
import { notificationOf, TOLD_EVENTS } from './notification.ts';
import { plainText } from './plain-text.ts';
import { isQuiet, judgeQuietHours } from './quiet-hours.ts';

const TASK = taskRow(projectRow());
const CARRIED = { task: TASK, run: runRow(TASK), message: { key: 'k', kind: 'text', text: '' } };

function event(type: string, more: Partial<Pick<RawEvent, 'id' | 'data'>> = {}): PlatformEvent {
  return readEvent({
    seq: 1,
    id: 'evt_1',
    at: '2026-01-01T00:00:00.000Z',
    projectId: 'prj_1',
    taskId: 'tsk_1',
    runId: 'run_1',
    category: 'agent',
    type,
    level: 'info',
    summary: 'said',
    actor: { type: 'system' },
    ...more,
    data: { ...CARRIED, ...more.data },
  });
}

const ABOUT = { projectName: 'Slugs', task: { key: 'SLU-1', title: 'Fix it', priority: 'medium' } } as const;

function told(more: Partial<Notification> = {}): Notification {
  const made = notificationOf(event('agent.failed'), ABOUT);
  if (made === null) throw new Error('nothing was made');
  return { ...made.notification, ...more };
}

describe('an event', () => {
  it('becomes the notification that the table says, with its task and where to look', () => {
    expect(notificationOf(event('agent.failed'), ABOUT)).toEqual({
      dedupKey: 'ended:run_1',
      notification: {
        type: 'agent.failed',
        title: 'Slugs: SLU-1 Fix it',
        body: 'said',
        severity: 'error',
        critical: false,
        next: [{ label: 'See what can be done', command: 'attractor tasks get SLU-1' }],
        context: {
          projectId: 'prj_1',
          projectName: 'Slugs',
          taskId: 'tsk_1',
          taskTitle: 'Fix it',
          agentRunId: 'run_1',
          appRoute: '/tasks/SLU-1',
        },
        prompt: null,
        items: [],
        timestamp: '2026-01-01T00:00:00.000Z',
      },
    });
  });

  it('that asks carries all that is asked and each answer as a command, in chats too, where answers are never cut off', () => {
    const prompt = {
      id: 'prm_1',
      taskId: 'tsk_1',
      runId: null,
      type: 'plan_approval',
      title: 'Approve the plan',
      payload: { plan: 'First this. '.repeat(500), answers: { approve: 'doing', changes: 'planning' } },
      contentHash: 'abc',
      status: 'pending',
      answer: null,
      createdAt: '',
      answeredAt: null,
    };
    const notification = notificationOf(event('prompt.created', { data: { prompt } }), ABOUT)?.notification ?? told();
    expect(notification.text).toContain('First this.');
    const commands = notification.next?.map(({ command }) => command) ?? [];
    expect(commands).toEqual([
      'attractor prompts answer prm_1 --approve --hash abc',
      "attractor prompts answer prm_1 --changes --message '…' --hash abc",
    ]);
    const chat = plainText({ deliveryId: 'd', notification, link: 'https://a.test/tasks/tsk_1', replies: [] }, 1_000);
    expect(chat.length).toBeLessThanOrEqual(1_000);
    for (const part of [...commands, 'First this.', 'https://a.test']) expect(chat).toContain(part);
  });

  it('that is told of is one that is written', () => {
    expect(TOLD_EVENTS.filter((type) => !Object.hasOwn(EVENT_TYPES, type))).toEqual([]);
  });

  it('that ends a run is one notification however many events tell of it', () => {
    const ends = [
      event('agent.completed'),
      event('notification.raised', { id: 'evt_2', data: { status: 'completed', outcome: 'pr_ready' } }),
      event('supervisor.timeout', { id: 'evt_3' }),
    ];
    expect(new Set(ends.map((end) => notificationOf(end, ABOUT)?.dedupKey))).toEqual(new Set(['ended:run_1']));
  });

  it('of a timeout, a loop and a hook that names a type is told as such; talk is not told', () => {
    const typeOf = (one: PlatformEvent) => notificationOf(one, ABOUT)?.notification.type ?? null;
    expect(typeOf(event('agent.failed', { data: { failure: { code: 'timeout' } } }))).toBe('agent.timeout');
    const blockedBy = (guard: string) => ({
      options: [{ transition: {}, allowed: false, blockedBy: [{ guard, reason: 'r' }] }],
    });
    expect(typeOf(event('status.blocked', { data: blockedBy('max_iterations') }))).toBe('pipeline.loop_warning');
    expect(typeOf(event('status.blocked', { data: blockedBy('has_pr') }))).toBe('pipeline.blocked');
    expect(typeOf(event('notification.raised', { data: { notificationType: 'queue.completed' } }))).toBe(
      'queue.completed',
    );
    expect(typeOf(event('agent.message'))).toBeNull();
  });

  it('of a critical task, or that nothing more is tried, passes quiet hours', () => {
    const urgent = { ...ABOUT, task: { key: 'SLU-1', title: 'x', priority: 'critical' } } as const;
    const isCritical = (type: string, about: typeof ABOUT | typeof urgent) =>
      notificationOf(event(type), about)?.notification.critical;
    expect(isCritical('agent.failed', urgent)).toBe(true);
    expect(isCritical('agent.started', urgent)).toBe(false);
    expect(isCritical('agent.retries_exhausted', ABOUT)).toBe(true);
    expect(isCritical('agent.failed', ABOUT)).toBe(false);
  });
});

describe('quiet hours', () => {
  it('are hours of their own zone, over midnight and over a change of the clocks', () => {
    const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
    expect(isQuiet(night, new Date('2026-07-01T19:59:00Z'))).toBe(false);
    expect(isQuiet(night, new Date('2026-07-01T20:00:00Z'))).toBe(true);
    expect(isQuiet(night, new Date('2026-07-02T04:59:00Z'))).toBe(true);
    expect(isQuiet(night, new Date('2026-07-02T05:00:00Z'))).toBe(false);
    expect(isQuiet(night, new Date('2026-01-01T20:30:00Z'))).toBe(false);
    expect(isQuiet(night, new Date('2026-01-01T21:00:00Z'))).toBe(true);
    const noon = { from: '12:00', to: '13:00', timeZone: 'Asia/Tokyo' };
    expect(isQuiet(noon, new Date('2026-01-01T03:30:00Z'))).toBe(true);
    expect(isQuiet(noon, new Date('2026-01-01T12:30:00Z'))).toBe(false);
    expect(isQuiet({ ...noon, to: '12:00' }, new Date('2026-01-01T03:00:00Z'))).toBe(false);
  });

  it('that are none are said so', () => {
    expect(judgeQuietHours({ from: '7:00', to: '08:00', timeZone: 'UTC' })).toContain('"7:00"');
    expect(judgeQuietHours({ from: '07:00', to: '24:00', timeZone: 'UTC' })).toContain('"24:00"');
    expect(judgeQuietHours({ from: '07:00', to: '08:00', timeZone: 'Mars/Olympus' })).toContain('Mars/Olympus');
    expect(judgeQuietHours({ from: '07:00', to: '08:00', timeZone: 'UTC' })).toBeNull();
  });
});

describe('the settings of a channel', () => {
  it('want everything but changes of status, unless they say otherwise', () => {
    const wanted = NOTIFICATION_TYPES.filter((type) => isWanted({ enabled: true, types: {} }, type));
    expect(wanted).toEqual(NOTIFICATION_TYPES.filter((type) => type !== 'task.status_changed'));
    const types = { 'task.status_changed': true, 'agent.started': false };
    expect(isWanted({ enabled: true, types }, 'task.status_changed')).toBe(true);
    expect(isWanted({ enabled: true, types }, 'agent.started')).toBe(false);
    expect(isWanted({ enabled: false, types }, 'task.status_changed')).toBe(false);
  });

  it.each([
    ['a/b', { type: 'desktop' }, 'not a name'],
    ['x', { type: 'pigeon' }, 'desktop, webhook, slack, telegram'],
    ['x', { type: 'webhook', url: 'file:///etc/passwd' }, 'http://'],
    ['x', { type: 'webhook', url: 'https://a.test', secret: 'short' }, '16 characters'],
    ['x', { type: 'telegram', token: 'a/../b', chatId: 1 }, 'token'],
    ['x', { type: 'desktop', program: 'notify-send' }, 'full path'],
    ['x', { type: 'desktop', types: { 'agent.exploded': true } }, 'agent.exploded'],
    ['x', { type: 'desktop', types: { 'agent.failed': 'yes' } }, 'true or false'],
    ['x', { type: 'desktop', quietHours: { from: '22:00' } }, 'timeZone'],
    ['x', [], 'JSON object'],
  ])('%s %j are refused with what would be right', (name, value, reason) => {
    const read = readChannelSettings(name, value);
    expect(read).toMatchObject({ ok: false, error: { code: 'invalid', message: expect.stringContaining(reason) } });
  });

  it('get a secret where a webhook has none', () => {
    const read = readChannelSettings('x', { type: 'webhook', url: 'https://a.test' });
    expect(read.ok && read.value.type === 'webhook' && read.value.secret.length).toBe(43);
  });
});

describe('the next move of a channel', () => {
  let count = 0;
  const delivery = (more: Partial<Delivery> = {}): Delivery => ({
    id: `dlv_${(count += 1)}`,
    channel: 'x',
    notification: told(),
    state: 'due',
    attempts: 0,
    notBefore: null,
    owner: null,
    leaseUntil: null,
    error: null,
    ...more,
  });
  const facts = { now: 1_000, isQuiet: false, ownerOf: () => 'alive' as const };

  it('is to send the oldest, one at a time', () => {
    const [first, second] = [delivery(), delivery()];
    expect(nextMove([first, second], facts)).toEqual({ do: 'send', delivery: first });
    expect(nextMove([], facts)).toEqual({ do: 'nothing' });
  });

  it('waits for a delivery that is on its way, but not for a dead sender or an ended lease', () => {
    const sending = delivery({ state: 'sending', owner: 'me', leaseUntil: 2_000, attempts: 1 });
    expect(nextMove([sending, delivery()], facts).do).toBe('nothing');
    expect(nextMove([sending], { ...facts, ownerOf: () => 'dead' })).toEqual({ do: 'send', delivery: sending });
    expect(nextMove([sending], { ...facts, now: 2_000 }).do).toBe('send');
  });

  it('leaves a failing channel alone for a while, and not for longer when the clock began anew', () => {
    const failed = delivery({ attempts: 1, notBefore: 2_000 });
    expect(nextMove([failed, delivery()], facts).do).toBe('nothing');
    expect(nextMove([failed], { ...facts, now: 2_000 }).do).toBe('send');
    const ofAnotherClock = delivery({ attempts: 1, notBefore: 2_000 + LONGEST_WAIT_MS });
    expect(nextMove([ofAnotherClock], facts).do).toBe('send');
  });

  it('lets only what is critical through in quiet hours, and then tells the rest as one', () => {
    const [held, other] = [delivery({ state: 'held' }), delivery({ state: 'held' })];
    const critical = delivery({ notification: told({ critical: true }) });
    expect(nextMove([held, other, critical], { ...facts, isQuiet: true })).toEqual({ do: 'send', delivery: critical });
    expect(nextMove([held, delivery()], { ...facts, isQuiet: true }).do).toBe('nothing');
    expect(nextMove([held, critical, other], facts)).toEqual({ do: 'digest', deliveries: [held, other] });
  });

  it('makes one of very many, but never of questions', () => {
    const many = Array.from({ length: 21 }, () => delivery());
    const asking = delivery({
      notification: told({ prompt: { id: 'prm_1', type: 'review', contentHash: 'h' } }),
    });
    expect(nextMove([...many, asking], facts)).toEqual({ do: 'digest', deliveries: many });
    expect(nextMove(many.slice(1), facts).do).toBe('send');
  });

  it('waits longer after each failure, as long as it was asked to, and never too long', () => {
    expect([1, 2, 3].map((attempts) => backOff(attempts, PACE))).toEqual([5_000, 20_000, 80_000]);
    expect(backOff(1, PACE, 60_000)).toBe(60_000);
    expect(backOff(9, PACE, 10 ** 9)).toBe(LONGEST_WAIT_MS);
  });
});

describe('a digest', () => {
  it('shows the first ten, counts the rest, is as severe as its worst part, and has no digest in it', () => {
    const inner = digestOf([told({ severity: 'info' }), told({ severity: 'warning' })]);
    const digest = digestOf([inner, ...Array.from({ length: 10 }, () => told({ severity: 'success' }))]);
    expect(digest).toMatchObject({ type: 'digest', severity: 'warning', title: '12 notifications of Slugs' });
    expect(digest.items).toHaveLength(12);
    expect(digest.body.split('\n')).toHaveLength(11);
    expect(digest.body).toContain('and 2 more');
    expect(digest.context.taskId).toBe('tsk_1');
  });
});
