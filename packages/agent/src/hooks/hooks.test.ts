import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { HOOK_EVENTS, type HookEventName, type HookHandler, type HookOutcome, type HookRun } from '@attractor/settings';

import { createHooks } from './hooks.ts';

type Row = {
  readonly event: HookEventName;
  /** What exit code 2 does. */
  readonly exit2: 'blocks' | 'nothing';
  readonly plain: 'context' | 'nothing';
  readonly json: Readonly<Record<string, unknown>>;
  readonly means: Partial<HookOutcome>;
};

const context = (event: string): Pick<Row, 'json' | 'means'> => ({
  json: { hookSpecificOutput: { hookEventName: event, additionalContext: `more of ${event}` } },
  means: { context: [`more of ${event}`] },
});
const blocking = { json: { decision: 'block', reason: 'not yet' }, means: { block: 'not yet' } };
const message = { json: { systemMessage: 'for you', suppressOutput: true }, means: { messages: ['for you'] } };
const stopping = { json: { continue: false, stopReason: 'enough' }, means: { stop: 'enough' } };

/** As published: what each event can do. */
const ROWS: ReadonlyArray<Row> = [
  { event: 'SessionStart', exit2: 'nothing', plain: 'context', ...context('SessionStart') },
  { event: 'Setup', exit2: 'nothing', plain: 'nothing', ...context('Setup') },
  { event: 'UserPromptSubmit', exit2: 'blocks', plain: 'context', ...blocking },
  { event: 'UserPromptExpansion', exit2: 'blocks', plain: 'context', ...blocking },
  {
    event: 'PreToolUse',
    exit2: 'blocks',
    plain: 'nothing',
    json: {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: 'look first',
        updatedInput: { command: 'ls' },
      },
    },
    means: { permission: { word: 'ask', reason: 'look first' }, updatedInput: { command: 'ls' } },
  },
  {
    event: 'PermissionRequest',
    exit2: 'nothing',
    plain: 'nothing',
    json: { hookSpecificOutput: { decision: { behavior: 'deny', message: 'never', interrupt: true } } },
    means: { request: { behavior: 'deny', message: 'never', interrupt: true } },
  },
  {
    event: 'PermissionDenied',
    exit2: 'nothing',
    plain: 'nothing',
    json: { hookSpecificOutput: { retry: true } },
    means: { retry: true },
  },
  {
    event: 'PostToolUse',
    exit2: 'blocks',
    plain: 'nothing',
    json: { hookSpecificOutput: { updatedToolOutput: 'another output' } },
    means: { updatedOutput: 'another output' },
  },
  { event: 'PostToolUseFailure', exit2: 'blocks', plain: 'nothing', ...context('PostToolUseFailure') },
  { event: 'PostToolBatch', exit2: 'blocks', plain: 'nothing', ...context('PostToolBatch') },
  { event: 'Notification', exit2: 'nothing', plain: 'nothing', ...message },
  { event: 'SubagentStart', exit2: 'nothing', plain: 'nothing', ...context('SubagentStart') },
  { event: 'SubagentStop', exit2: 'blocks', plain: 'nothing', ...blocking },
  { event: 'Stop', exit2: 'blocks', plain: 'nothing', ...blocking },
  { event: 'StopFailure', exit2: 'nothing', plain: 'nothing', ...message },
  { event: 'TaskCreated', exit2: 'blocks', plain: 'nothing', ...stopping },
  { event: 'TaskCompleted', exit2: 'blocks', plain: 'nothing', ...stopping },
  { event: 'InstructionsLoaded', exit2: 'nothing', plain: 'nothing', ...message },
  { event: 'ConfigChange', exit2: 'blocks', plain: 'nothing', ...blocking },
  { event: 'CwdChanged', exit2: 'nothing', plain: 'nothing', ...message },
  { event: 'FileChanged', exit2: 'nothing', plain: 'nothing', ...message },
  { event: 'PreCompact', exit2: 'blocks', plain: 'nothing', ...blocking },
  { event: 'PostCompact', exit2: 'nothing', plain: 'nothing', ...message },
  { event: 'Elicitation', exit2: 'blocks', plain: 'nothing', ...blocking },
  { event: 'ElicitationResult', exit2: 'blocks', plain: 'nothing', ...blocking },
  {
    event: 'WorktreeCreate',
    exit2: 'blocks',
    plain: 'nothing',
    json: { hookSpecificOutput: { worktreePath: '/w' } },
    means: { worktreePath: '/w' },
  },
  { event: 'WorktreeRemove', exit2: 'nothing', plain: 'nothing', ...message },
  { event: 'SessionEnd', exit2: 'nothing', plain: 'nothing', ...message },
  { event: 'PreModelSwitch', exit2: 'blocks', plain: 'nothing', ...blocking },
  { event: 'PostModelSwitch', exit2: 'nothing', plain: 'nothing', ...context('PostModelSwitch') },
  { event: 'DirectoryAdded', exit2: 'nothing', plain: 'nothing', ...message },
  {
    event: 'MessageDisplay',
    exit2: 'nothing',
    plain: 'nothing',
    json: { hookSpecificOutput: { displayContent: 'y' } },
    means: { display: 'y' },
  },
];

let root: string;
let server: Server;
let address: string;
const posted: Array<{ readonly url: string; readonly body: unknown }> = [];

beforeAll(async () => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'hooks-test-')));
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://x');
      posted.push({ url: url.pathname, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
      if (url.pathname === '/never') return;
      response.statusCode = url.pathname === '/broken' ? 503 : 200;
      response.end(url.searchParams.get('say') ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  address = `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(root, { recursive: true, force: true });
});

type Fired = { readonly outcome: HookOutcome; readonly runs: ReadonlyArray<HookRun> };

async function fire(event: HookEventName, handler: HookHandler, more: Record<string, unknown> = {}): Promise<Fired> {
  const hooks = createHooks({
    definitions: [{ event, handlers: [handler] }],
    environment: createLocalExecutionEnvironment(root),
  });
  const runs: HookRun[] = [];
  const input = { hook_event_name: event, session_id: 'ses_1', ...more };
  const outcome = await hooks.fire(event, input, {
    signal: new AbortController().signal,
    onRun: (run) => void runs.push(run),
  });
  await hooks.close();
  return { outcome, runs };
}

const ends = ({ runs }: Fired): ReadonlyArray<unknown> =>
  runs.map((run) => (run.kind === 'ended' ? run.status : 'started'));

const command = (line: string, more: Partial<HookHandler> = {}): HookHandler =>
  ({ kind: 'command', command: line, timeoutMs: 60_000, ...more }) as HookHandler;

const http = (where: string, say = '', more: Partial<HookHandler> = {}): HookHandler =>
  ({
    kind: 'http',
    url: `${address}${where}?say=${encodeURIComponent(say)}`,
    timeoutMs: 60_000,
    ...more,
  }) as HookHandler;

const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", `'\\''`)}'`;

describe('each event, by a command', () => {
  it('the table has every event that fires', () => {
    const fired = Object.entries(HOOK_EVENTS).filter(([, { firedBy }]) => firedBy !== null);
    expect(ROWS.map(({ event }) => event)).toEqual(expect.arrayContaining(fired.map(([name]) => name)));
  });

  it.concurrent.each(ROWS)(
    '$event: exit 0, 2, 3, a timeout, JSON, and failing closed',
    async ({ event, exit2, plain, json, means }) => {
      const file = path.join(root, `${event}.json`);
      const [ok, refused, failed, late, told, closed] = await Promise.all([
        fire(event, command(`cat > ${event}.json; echo "  some words"`), { extra: event }),
        fire(event, command(`echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'; echo "no way" >&2; exit 2`)),
        fire(event, command('echo "some words"; echo broken >&2; exit 3')),
        fire(event, command('sleep 20', { timeoutMs: 150 })),
        fire(event, command(`cat >/dev/null; printf %s ${quoted(json)}`)),
        fire(event, command('exit 7', { failClosed: true })),
      ]);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
        hook_event_name: event,
        session_id: 'ses_1',
        extra: event,
      });
      expect(ok.outcome).toMatchObject({ ran: 1, block: null, context: plain === 'context' ? ['some words'] : [] });
      expect(ends(ok)).toEqual(['started', 'success']);
      expect(refused.outcome).toMatchObject({ block: exit2 === 'blocks' ? 'no way' : null, permission: null });
      expect(ends(refused)).toEqual(['started', exit2 === 'blocks' ? 'blocked' : 'error']);
      expect(failed.outcome).toMatchObject({ ran: 1, block: null, context: [], permission: null, stop: null });
      expect(failed.runs.at(-1)).toMatchObject({
        status: 'error',
        exitCode: 3,
        problem: 'It ended with code 3: broken',
      });
      expect(late.outcome).toMatchObject({ ran: 1, block: null, context: [], permission: null, stop: null });
      expect(ends(late)).toEqual(['started', 'timeout']);
      expect(told.outcome).toMatchObject({ ran: 1, ...means });
      const denied = event === 'PermissionRequest';
      expect(closed.outcome.block !== null).toBe(exit2 === 'blocks');
      expect(closed.outcome.request?.behavior).toBe(denied ? 'deny' : undefined);
    },
  );
});

describe('each event, by http', () => {
  it.concurrent.each(ROWS)(
    '$event: 2xx, a block, 503, a timeout, JSON, and failing closed',
    async ({ event, exit2, plain, json, means }) => {
      const [ok, refused, failed, late, told, closed] = await Promise.all([
        fire(event, http(`/${event}`, ' some words '), { extra: event }),
        fire(event, http('/block', JSON.stringify({ decision: 'block', reason: 'no way' }))),
        fire(event, http('/broken', JSON.stringify({ decision: 'block', reason: 'no way' }))),
        fire(event, http('/never', '', { timeoutMs: 150 })),
        fire(event, http('/json', JSON.stringify(json))),
        fire(event, http('/broken', '', { failClosed: true })),
      ]);
      expect(posted.find(({ url }) => url === `/${event}`)?.body).toEqual({
        hook_event_name: event,
        session_id: 'ses_1',
        extra: event,
      });
      expect(ok.outcome).toMatchObject({ ran: 1, block: null, context: plain === 'context' ? ['some words'] : [] });
      expect(refused.outcome.block).toBe(exit2 === 'blocks' ? 'no way' : null);
      expect(failed.outcome).toMatchObject({ ran: 1, block: null, context: [] });
      expect(failed.runs.at(-1)).toMatchObject({ status: 'error', problem: 'It answered with status 503.' });
      expect(late.outcome).toMatchObject({ ran: 1, block: null, context: [] });
      expect(ends(late)).toEqual(['started', 'timeout']);
      expect(told.outcome).toMatchObject({ ran: 1, ...means });
      expect(closed.outcome.block !== null).toBe(exit2 === 'blocks');
      expect(closed.outcome.request?.behavior).toBe(event === 'PermissionRequest' ? 'deny' : undefined);
    },
  );
});
