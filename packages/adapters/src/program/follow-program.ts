import { messageOf } from '@attractor/base';
import type { Program } from '@attractor/confine';
import type { AgentFailure, AgentRunOptions, AgentRunResult } from '../agent.ts';
import type { Dialogue, Ending } from './dialogue.ts';
import { meaningOfOutput } from '../failure-words.ts';
import { lastLines, statedLimit } from '../limits/stated-limit.ts';
import type { Spool } from './spool.ts';

export type Following = {
  readonly name: string;
  readonly dialogue: Dialogue;
  readonly spool: Spool;
  readonly signal: AbortSignal;
  readonly redact: (text: string) => string;
  readonly onStart: (pid: number) => void;
};

/** From the request to the end of the process tree: what was asked for politely, then SIGTERM, then SIGKILL. */
const STOPPING = { askAfterMs: 2_000, killAfterMs: 3_000 };
/** A program that can't be asked gets SIGTERM at once. */
const ENDING = { askAfterMs: 0, killAfterMs: 5_000 };
const DRAIN_MS = 2_000;
const LAST_WORDS = 2_000;

/** Talks with a program until it has ended, and everything that it started with it. */
export async function followProgram(program: Program, following: Following): Promise<AgentRunResult> {
  const { dialogue, spool, signal, onStart } = following;
  const { child } = program;
  let words = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    spool.stdout(chunk);
    dialogue.push(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    spool.stderr(chunk);
    words = `${words}${chunk.toString()}`.slice(-LAST_WORDS);
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
  const over = untilOver(program, dialogue, signal);
  if (child.pid !== undefined) onStart(child.pid);
  dialogue.begin({
    write: (text) => void (child.stdin?.writable === true && child.stdin.write(text)),
    close: () => void child.stdin?.end(),
    hangUp: () => void program.end(STOPPING),
  });
  const exit = await over;
  await spool.end();
  dialogue.end();
  return conclude(following, { exit, ending: dialogue.ending(), words: words.trim() });
}

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly error: Error | null };

/** A leftover process may hold its pipes open: that is ended too, and the output until then counts. */
async function untilOver(program: Program, { cancel }: Dialogue, signal: AbortSignal): Promise<Exit> {
  const { child } = program;
  const over = Promise.withResolvers<Exit>();
  const closed = Promise.withResolvers<void>();
  child.once('error', (error) => over.resolve({ code: null, signal: null, error }));
  child.once('exit', (code, by) => over.resolve({ code, signal: by, error: null }));
  child.once('close', () => closed.resolve());
  const stop = (): void => {
    cancel?.();
    void program.end(cancel === undefined ? ENDING : STOPPING);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const exit = await over.promise;
  signal.removeEventListener('abort', stop);
  const drained = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
  await program.end(ENDING);
  if (exit.error === null) await Promise.race([closed.promise, drained]);
  return exit;
}

type Ended = { readonly exit: Exit; readonly ending: Ending; readonly words: string };

function conclude({ name, signal, redact }: Following, { exit, ending, words }: Ended): AgentRunResult {
  const { report, refusedReport, failure } = ending;
  const told = {
    finalText: redact(ending.finalText),
    tokenUsage: ending.usage,
    ...(report === undefined || report === null ? {} : { ...report, outcomeText: redact(ending.finalText) }),
    ...(refusedReport === undefined || refusedReport === null ? {} : { refusedReport }),
  };
  const failed = (error: AgentFailure): AgentRunResult => ({ ...told, exitCode: exit.code || 1, error });
  if (signal.aborted) return failed({ code: 'stopped', message: stopMessage(signal), retryable: true });
  if (exit.error !== null) return failed({ code: 'not_started', message: messageOf(exit.error), retryable: false });
  if (failure !== undefined && failure !== null) return failed({ ...failure, message: redact(failure.message) });
  const hasFailed = !ending.isOver && exit.code !== 0;
  // Whoever reported an outcome was not kept from it.
  const limit =
    told.outcome === undefined ? limitOf(told.finalText, { failed: hasFailed, words: redact(words) }) : null;
  if (limit !== null) return failed({ code: 'rate_limit', message: limit, retryable: true });
  if (!hasFailed) return { ...told, exitCode: 0 };
  const how = exit.code === null ? `was ended by ${exit.signal ?? 'a signal'}` : `ended with exit code ${exit.code}`;
  const message = `${name} ${how}${words === '' ? '' : `: ${redact(words)}`}`;
  return failed({ code: 'exit', retryable: exit.code === null, ...meaningOfOutput(lastLines(words)), message });
}

/** Said as its last text, or where a program that failed complains. */
function limitOf(text: string, { failed, words }: { readonly failed: boolean; readonly words: string }): string | null {
  return statedLimit(text, { failed }) ?? (failed ? statedLimit(words, { failed }) : null);
}

export function stopMessage({ reason }: AgentRunOptions['abortSignal']): string {
  return `The run was stopped (${String(reason)})`;
}
