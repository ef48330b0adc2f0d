import type { Prompt, Tool } from '@modelcontextprotocol/client';
import type { McpServerDefinition } from './definition.ts';
import type { McpFailure, McpOutcome } from './failure.ts';
import type { McpMeans, PreparedClient } from './open-client.ts';
import type { Silence } from './silence.ts';

/** What a server offers, as of its last answer. */
export type Offered = {
  readonly tools: ReadonlyArray<Tool>;
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
};

export type ConnectionOptions = {
  readonly means: McpMeans;
  readonly now: () => number;
  /** What it offered in an earlier session, if known. */
  readonly known: Offered | null;
  readonly onOffered: (offered: Offered) => void;
};

/** The mutable parts of one server. `current` is the one open connection. */
export type Life = {
  readonly definition: McpServerDefinition;
  readonly options: ConnectionOptions;
  current: PreparedClient | null;
  starting: Promise<McpOutcome<PreparedClient>> | null;
  offered: Offered | null;
  prompts: ReadonlyArray<Prompt> | null;
  problem: McpFailure | null;
  /** What of its answers was left out; each is told once. */
  readonly notes: Set<string>;
  failures: number;
  retryAt: number;
  isClosed: boolean;
  refreshing: 'idle' | 'running' | 'again';
  /** Aborts what is being started. */
  readonly stopper: AbortController;
  /** The open requests. */
  readonly listening: Set<Silence>;
};

/** However long a call or a start keeps reporting progress, it ends after this. */
export const TOTAL_MS = 600_000;
/** Our own deadlines decide: the library's never come first. */
export const NEVER_MS = 2 ** 31 - 1;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** The first death may be an accident: it is restarted at once. After that each wait is twice as long. */
export function noted<Failure extends { readonly ok: false; readonly error: McpFailure }>(
  life: Life,
  failure: Failure,
): Failure {
  life.problem = failure.error;
  life.failures += 1;
  const isAccident = failure.error.code === 'died' && life.failures === 1;
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (life.failures - 1));
  life.retryAt = life.options.now() + (isAccident ? 0 : waitMs);
  return failure;
}

export function saying(words: string): string {
  const told = tellingLines(words);
  return told === '' ? '' : ` It said: ${told}`;
}

const MAX_LINES = 3;
const MAX_SHOWN = 500;

/** What a person can use of what a program printed: from its first complaint on, without the places in its code. */
function tellingLines(words: string): string {
  const lines = words
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:at |\^+$|node:|Node\.js v|File "|\{$|\}$)/.test(line));
  const first = lines.findIndex((line) =>
    /error|cannot|can't|could not|not found|unable|fail|missing|denied/i.test(line),
  );
  const shown = first < 0 ? lines.slice(-MAX_LINES) : lines.slice(first, first + MAX_LINES);
  return shown.join(' ').slice(0, MAX_SHOWN);
}

/** Whatever the library does with the signal, nobody waits longer. */
export function within<Value>({ signal }: Pick<Silence, 'signal'>, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}
