import { defined, messageOf } from '@attractor/base';
import { createRedactor, type Redactor, secretValues } from '@attractor/redact';
import { endProgramsOf, startProgram, type ProgramLaunch } from '@attractor/confine';
import type {
  Agent,
  AgentDelta,
  AgentFailure,
  AgentMessageBody,
  AgentRunOptions,
  AgentRunResult,
  PersonMessage,
} from '../agent.ts';
import type { Report } from '../run-tools/report-outcome.ts';
import { boundTelling } from './bounded-telling.ts';
import { addTokens, type Dialogue, NOTHING_USED } from './dialogue.ts';
import { followProgram, stopMessage } from './follow-program.ts';
import { furtherInputText } from './further-input.ts';
import { type ProcessStart, isRunning, openRunRecord, type RunRecord } from './run-record.ts';
import { openSpool } from './spool.ts';

/** One start of a program: what it is told, and where what it says goes. */
export type ProgramCall = {
  readonly options: AgentRunOptions;
  readonly prompt: string;
  /** The program's conversation that this start continues; null: a new one. */
  readonly session: string | null;
  readonly keepSession: (session: string) => void;
  /** An outcome that an earlier, cut-off start of the same input reported. */
  readonly reported: Report | null;
  readonly keepReport: (report: Report) => void;
  /** The message of a person under this key is part of the conversation. */
  readonly taken: (key: string) => void;
  readonly tell: (body: AgentMessageBody) => void;
  readonly live: (delta: AgentDelta) => void;
  /** How long it may say nothing at all after its start. */
  readonly silenceMs: number;
};

/** `close` is called when the program has ended. */
export type PreparedProgram = Pick<ProgramLaunch, 'argv' | 'readable' | 'given'> & {
  /** Further variables of it. */
  readonly own?: Readonly<Record<string, string>>;
  readonly dialogue: Dialogue;
  readonly close?: () => Promise<void>;
};

/** A program as an agent: what differs between one kind and another. */
export type ProgramKind = {
  readonly name: string;
  /** It keeps its conversations, so that a later start can continue them. */
  readonly remembers: boolean;
  /** The host's variables that it is given; their values appear in nothing that is stored. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Absent: a minute. */
  readonly silenceMs?: number | undefined;
  /** Why it can't do such a run at all; nothing is recorded then. */
  readonly refuses?: (options: AgentRunOptions) => AgentFailure | null;
  readonly prepare: (call: ProgramCall) => Promise<PreparedProgram | AgentFailure>;
};

const MINUTE_MS = 60_000;

/** A program that no longer knows the conversation it was to continue fails with this; it is then started anew. */
export const DEAD_SESSION = 'dead_session';

/** By run: what people say to the program that works in this process. */
type LivePrograms = Map<string, (message: PersonMessage) => void>;

/** The calls of the port, for a program. An adapter whose dialogue can be steered has all three. */
export function programCalls(kind: ProgramKind): Required<Pick<Agent, 'run' | 'say' | 'steer'>> {
  const live: LivePrograms = new Map();
  return {
    run: (options) => runProgram({ ...kind, live }, options, 'run'),
    say: ({ inputKey, ...options }) => runProgram({ ...kind, live }, options, inputKey),
    steer: (runId, message) => live.get(runId)?.(message),
  };
}

type LiveKind = ProgramKind & { readonly live: LivePrograms };

/**
 * Gives a program one input, named by `input`: repeated, it returns the earlier result, or continues where it was cut off. The program runs
 * in its own process group, in the run's sandbox; what it says is stored before it is reported.
 */
async function runProgram(kind: LiveKind, options: AgentRunOptions, input: string): Promise<AgentRunResult> {
  const refusal = kind.refuses?.(options) ?? null;
  if (refusal !== null) return notStarted(refusal);
  const record = openRunRecord(options.statePath);
  const earlier = record.messages();
  for (const message of earlier) options.onMessage(message);
  for (const key of record.taken()) options.onTaken?.(key);
  const starts = record.starts();
  const before = starts.filter((start) => start.input === input);
  const ended = before.findLast(({ result }) => result !== null)?.result;
  if (ended !== undefined && ended !== null) return ended;
  const mark = `cli-${options.runId.replaceAll(/[^\w-]/g, '_')}`;
  const leftBehind = starts.some(isRunning);
  if (options.isFirstClaim !== true || starts.length > 0) await endProgramsOf(mark);
  if (starts.some(isRunning)) return notStarted(STILL_RUNNING);
  // Nothing that is stored or shown contains the secrets that the program was given.
  const redactor = createRedactor({ secrets: secretValues({ ...options.env, ...kind.secrets }) });
  if (input === 'run') record.keepPrompt(redactor.text(options.prompt));
  const number = await record.begin(input);
  const tell = teller({ options, record, number, redactor });
  if (before.length > 0) tell({ kind: 'notice', level: 'warning', text: againNotice(number, leftBehind) });
  const session = kind.remembers ? record.session() : null;
  const whole = wholeRequest(input, { first: record.firstPrompt(), messages: earlier, prompt: options.prompt });
  const again = (text: string): string => (before.length === 0 ? text : `${AGAIN}\n\n${text}`);
  const start = { kind, options, record, number, mark, tell, redactor, reported: before.at(-1)?.report ?? null };
  let last = await attempt(start, { session, prompt: again(session === null ? whole : options.prompt) });
  if (session !== null && last.error?.code === DEAD_SESSION && !options.abortSignal.aborted) {
    tell({ kind: 'notice', level: 'warning', text: `${last.error.message} It is told anew what was asked and done.` });
    last = await attempt(start, { session: null, prompt: again(whole) });
  }
  const result = { ...last, tokenUsage: addTokens(usedBefore(starts), last.tokenUsage) };
  const { reason } = options.abortSignal;
  const isLetGo = options.abortSignal.aborted && (reason === 'shutdown' || reason === 'lost_lease');
  if (!isLetGo) await record.end(number, result);
  return result;
}

/** For a program that knows nothing of what was before. */
function wholeRequest(input: string, further: Parameters<typeof furtherInputText>[0]): string {
  return input === 'run' ? further.prompt : furtherInputText(further);
}

/** Each result includes the usage of everything before it in the conversation. */
function usedBefore(starts: ReadonlyArray<ProcessStart>): AgentRunResult['tokenUsage'] {
  return starts.findLast(({ result }) => result !== null)?.result?.tokenUsage ?? NOTHING_USED;
}

const AGAIN =
  'An earlier attempt at this was cut off in the middle. What it changed is in the working folder: look at it first, then go on.';

function againNotice(number: number, leftBehind: boolean): string {
  const ended = leftBehind ? ' Its process was still there and was ended.' : '';
  return `The command was cut off and is started anew (start ${number}).${ended}`;
}

const STILL_RUNNING: AgentFailure = {
  code: 'still_running',
  message: 'The process of an earlier start is still there and could not be ended.',
  retryable: true,
};

type Telling = Pick<Start, 'options' | 'record' | 'number' | 'redactor'>;

/** Stored before it is reported, under a key that stays the same. */
function teller({ options, record, number, redactor }: Telling): ProgramCall['tell'] {
  let count = 0;
  return (body) => {
    const message = { key: `${number}:${(count += 1)}`, ...redactor.value(body) };
    record.add(message);
    options.onMessage(message);
  };
}

type Start = {
  readonly kind: LiveKind;
  readonly options: AgentRunOptions;
  readonly record: RunRecord;
  readonly number: number;
  readonly mark: string;
  readonly tell: ProgramCall['tell'];
  readonly redactor: Redactor;
  readonly reported: Report | null;
};

async function attempt(start: Start, asked: Pick<ProgramCall, 'session' | 'prompt'>): Promise<AgentRunResult> {
  const { kind, options, record, number, tell, reported } = start;
  if (options.abortSignal.aborted) return stopped(options);
  try {
    const prepared = await kind.prepare({
      ...asked,
      options,
      reported,
      tell: boundTelling(tell),
      live: options.onDelta,
      silenceMs: kind.silenceMs ?? MINUTE_MS,
      keepSession: (session) => record.keepSession(number, session),
      keepReport: (report) => record.report(number, report),
      taken: (key) => {
        record.take(number, key);
        options.onTaken?.(key);
      },
    });
    if ('code' in prepared) return notStarted(prepared);
    try {
      return await launch(start, { ...prepared, dialogue: withinReach(start, prepared.dialogue) });
    } finally {
      kind.live.delete(options.runId);
      await prepared.close?.();
    }
  } catch (error) {
    return notStarted({ code: 'not_started', message: messageOf(error), retryable: false });
  }
}

/** From its begin on, people reach the program: with what they said before, and with what they say meanwhile, each once. */
function withinReach({ kind, options, record }: Start, dialogue: Dialogue): Dialogue {
  const { steer } = dialogue;
  if (steer === undefined) return dialogue;
  const given = new Set(record.taken());
  const say = (message: PersonMessage): void => {
    if (given.has(message.key)) return;
    given.add(message.key);
    steer(message);
  };
  return {
    ...dialogue,
    begin: (pipe) => {
      dialogue.begin(pipe);
      options.messages?.forEach(say);
      kind.live.set(options.runId, say);
    },
  };
}

async function launch(start: Start, prepared: PreparedProgram): Promise<AgentRunResult> {
  const { kind, options, record, number, mark, redactor } = start;
  const { argv, readable, own, given, dialogue } = prepared;
  const program = startProgram({
    argv,
    cwd: options.projectPath,
    env: { ...options.env, ...kind.secrets },
    inherited: options.env,
    sandbox: options.sandbox,
    ...defined({ readable, own, given }),
    ...(options.readOnly ? { readOnly: true } : {}),
    mark,
  });
  return followProgram(program, {
    name: kind.name,
    dialogue,
    spool: openSpool(record.outputFile(number), redactor),
    signal: options.abortSignal,
    redact: redactor.text,
    onStart: (pid) => {
      record.started(number, pid);
      options.onPidAssigned?.(pid);
    },
  });
}

function stopped({ abortSignal }: AgentRunOptions): AgentRunResult {
  return notStarted({ code: 'stopped', message: stopMessage(abortSignal), retryable: true });
}

/** The program did not run. */
function notStarted(error: AgentFailure): AgentRunResult {
  return { exitCode: 1, finalText: '', tokenUsage: NOTHING_USED, error };
}
