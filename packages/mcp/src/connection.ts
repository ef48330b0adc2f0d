import type { Client, Prompt } from '@modelcontextprotocol/client';
import { connected, isUnauthorised, signedIn } from './connect.ts';
import type { McpServerDefinition } from './definition.ts';
import { failed, failureOf, type McpFailure, type McpOutcome, statusOf } from './failure.ts';
import type { PreparedClient } from './open-client.ts';
import { type ConnectionOptions, type Life, NEVER_MS, noted, type Offered, TOTAL_MS, within } from './server-life.ts';
import { createSilence } from './silence.ts';

export type ServerState = 'off' | 'starting' | 'on' | 'failed' | 'closed';

export type Asking = {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (text: string) => void;
};

export type AskOptions = {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly onprogress: (progress: Progress) => void;
};

type Progress = {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
};

/**
 * One server across its restarts. The first request starts it; after it died the next one does, with a growing delay after each failure.
 * There is always an answer: its own, or why there is none.
 */
export type Connection = {
  readonly definition: McpServerDefinition;
  readonly state: () => ServerState;
  readonly problem: () => McpFailure | null;
  /** What of its answers was left out, and why. */
  readonly notes: () => ReadonlyArray<string>;
  readonly offered: () => Offered | null;
  readonly prompts: () => Promise<McpOutcome<ReadonlyArray<Prompt>>>;
  readonly start: () => Promise<McpOutcome<void>>;
  readonly ask: <Value>(
    question: (client: Client, options: AskOptions) => Promise<Value>,
    asking?: Asking,
  ) => Promise<McpOutcome<Value>>;
  readonly close: () => Promise<void>;
};

const SILENCE_MS = 120_000;

export function createConnection(definition: McpServerDefinition, options: ConnectionOptions): Connection {
  const life: Life = {
    definition,
    options,
    current: null,
    starting: null,
    offered: options.known,
    prompts: null,
    problem: null,
    notes: new Set(),
    failures: 0,
    retryAt: 0,
    isClosed: false,
    refreshing: 'idle',
    stopper: new AbortController(),
    listening: new Set(),
  };
  return {
    definition,
    state: () => stateOf(life),
    problem: () => life.problem,
    notes: () => [...life.notes],
    offered: () => life.offered,
    start: async () => {
      const live = await connected(life);
      return live.ok ? { ok: true, value: undefined } : live;
    },
    prompts: () => promptsOf(life),
    ask: (question, asking = {}) => ask(life, question, asking),
    close: async () => {
      life.isClosed = true;
      life.stopper.abort(new Error('closed'));
      const { current } = life;
      life.current = null;
      await current?.close();
      await life.starting;
    },
  };
}

function stateOf({ isClosed, current, starting, problem }: Life): ServerState {
  if (isClosed) return 'closed';
  if (current !== null) return 'on';
  if (starting !== null) return 'starting';
  return problem === null ? 'off' : 'failed';
}

async function promptsOf(life: Life): Promise<McpOutcome<ReadonlyArray<Prompt>>> {
  if (life.prompts !== null && life.current !== null) return { ok: true, value: life.prompts };
  const asked = await ask(life, async (client, { signal, timeout }) => client.listPrompts({}, { signal, timeout }), {});
  if (!asked.ok) return asked;
  life.prompts = asked.value.prompts;
  return { ok: true, value: life.prompts };
}

type Question<Value> = (client: Client, options: AskOptions) => Promise<Value>;

/** Asks once, and a second time only if the server certainly did nothing yet: it required a sign-in, or had forgotten the session. */
async function ask<Value>(life: Life, question: Question<Value>, asking: Asking): Promise<McpOutcome<Value>> {
  for (let attempt = 0; ; attempt++) {
    const live = await connected(life);
    if (!live.ok) return live;
    const asked = await askOnce(life, { live: live.value, question, asking });
    if (asked.ok) return asked;
    const signal = AbortSignal.any([life.stopper.signal, ...(asking.signal === undefined ? [] : [asking.signal])]);
    if (attempt > 0 || !(await mayAskAgain(life, live.value, { thrown: asked.thrown, signal }))) return asked.outcome;
  }
}

type Unanswered = { readonly thrown: unknown; readonly signal: AbortSignal };

async function mayAskAgain(life: Life, live: PreparedClient, { thrown, signal }: Unanswered): Promise<boolean> {
  if (isUnauthorised(thrown)) return signedIn(live, signal);
  if (statusOf(thrown) !== 404) return false;
  if (life.current === live) life.current = null;
  await live.close();
  return true;
}

type Asked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly outcome: ReturnType<typeof failed>; readonly thrown: unknown };

type Ask<Value> = { readonly live: PreparedClient; readonly question: Question<Value>; readonly asking: Asking };

async function askOnce<Value>(life: Life, { live, question, asking }: Ask<Value>): Promise<Asked<Value>> {
  const { name, callTimeoutMs = SILENCE_MS } = life.definition;
  const silence = createSilence(callTimeoutMs, Math.max(TOTAL_MS, callTimeoutMs), asking.signal);
  life.listening.add(silence);
  try {
    const options: AskOptions = {
      signal: silence.signal,
      timeout: NEVER_MS,
      onprogress: (progress) => {
        silence.heard();
        asking.onProgress?.(progressLine(progress));
      },
    };
    const value = await within(silence, question(live.client, options));
    life.failures = 0;
    return { ok: true, value };
  } catch (thrown) {
    if (asking.signal?.aborted === true)
      return { ok: false, thrown, outcome: failed('cancelled', `The call to the MCP server ${name} was cancelled.`) };
    if (silence.signal.aborted)
      return {
        ok: false,
        thrown,
        outcome: failed(
          'timeout',
          `The MCP server ${name} was silent for ${callTimeoutMs} ms; the call was cancelled.`,
        ),
      };
    const outcome = failureOf(name, thrown);
    return { ok: false, thrown, outcome: outcome.error.code === 'died' ? died(life, live, outcome) : outcome };
  } finally {
    life.listening.delete(silence);
    silence.end();
  }
}

/** When a program ends, that is reported with the last lines it printed; when an address becomes unreachable nobody tells us. */
function died(life: Life, live: PreparedClient, outcome: ReturnType<typeof failed>): ReturnType<typeof failed> {
  if (life.current === live) {
    life.current = null;
    void live.close();
    return noted(life, outcome);
  }
  return life.problem === null ? outcome : { ok: false, error: life.problem };
}

function progressLine({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return message === undefined || message === '' ? `${count}\n` : `${count} ${message}\n`;
}
