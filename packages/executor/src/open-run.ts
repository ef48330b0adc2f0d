import { defined, done, failed, type Result } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { EMPTY_VIEW, owedEvents, replay, type Replay } from '@attractor/agent';
import type { HeldSession, Sessions, SessionsError } from '@attractor/journal';
import { NO_USAGE } from '@attractor/llm';
import { OUTPUT_LIMITS, openConversation, type Conversation } from './conversation.ts';
import type { ExecuteOptions, ExecutorFailure, Redacting } from './execute-options.ts';
import { FILE_TOOLS } from './file-tools/definitions.ts';
import { createFileTools } from './file-tools/file-tools.ts';
import type { OwnReply, Provider, ProviderHost, Session, ToolCall, ToolResult } from './provider.ts';
import { runCall, type CallRunner } from './run-call.ts';
import { writeSessionFile } from './session-file.ts';

/** A run with all it needs: a provider's session and the conversation that is journaled for it. */
export type Run = {
  readonly provider: Provider;
  readonly session: Session;
  readonly conversation: Conversation;
  readonly calls: CallRunner;
  readonly signal: AbortSignal;
  readonly isNew: boolean;
  readonly maxTurns: number | undefined;
};

/** Creates or resumes the session, opens its journal, and leaves its id in the workspace before anything is asked. */
export async function openRun(options: Redacting): Promise<Result<Run, ExecutorFailure>> {
  const held = options.sessionId === undefined ? null : hold(options.sessions, options);
  if (held !== null && !held.ok) return held;
  const late = createLateHost(options, held?.value ?? null);
  const provider = options.provider.open(late.host);
  const opened = await openSession(options, provider, held?.value ?? null);
  if (!opened.ok) {
    held?.value?.journal.close();
    await provider.close?.();
    return opened;
  }
  const { session, place, past } = opened.value;
  const { redactor, onEvent = () => undefined } = options;
  const conversation = openConversation({ id: session.id, journal: place.journal, past, redactor, onEvent });
  const calls = late.bind(conversation);
  const isNew = past.view.turns.length === 0;
  begin(conversation, session, past);
  const written = await writeSessionFile(options.environment, session.id);
  if (!written.ok) {
    conversation.close();
    await provider.close?.();
    return written;
  }
  const { signal } = late.host;
  return done({ provider, session, conversation, calls, signal, isNew, maxTurns: options.maxTurns });
}

/** The journal of a known session; null when this program has none, though the provider itself may know the id. */
function hold(sessions: Sessions, options: ExecuteOptions): Result<HeldSession | null, ExecutorFailure> {
  const opened = sessions.open(options.sessionId ?? '');
  if (!opened.ok) return opened.error.code === 'not_found' ? done(null) : failed(sessionFailure(opened.error));
  const { about, journal, id } = opened.value;
  const owner = about.provider ?? options.provider.id;
  if (owner === options.provider.id) return opened;
  journal.close();
  const message = `Session ${id} belongs to ${owner}, not to ${options.provider.id}: pass --provider=${owner}, or begin a new session without its id.`;
  return failed({ code: 'session_of_other_provider', message, retryable: false });
}

type Opened = { readonly session: Session; readonly place: HeldSession; readonly past: Replay };

async function openSession(
  options: ExecuteOptions,
  provider: Provider,
  held: HeldSession | null,
): Promise<Result<Opened, ExecutorFailure>> {
  const { spec, sessions, sessionId } = options;
  const cwd = options.environment.workingDirectory();
  const id = held?.id ?? sessionId;
  const found = id === undefined ? await provider.createSession(spec, cwd) : await provider.resumeSession(id);
  if (!found.ok) return found;
  if (found.value === null) return failed(dead(id ?? '', options.provider.id));
  const session = found.value;
  if (held !== null) return done({ session, place: held, past: replay(held.journal.read(), OUTPUT_LIMITS) });
  const model = defined({ model: spec.model });
  const created = sessions.create({ cwd, provider: options.provider.id, ...model, sessionId: session.id });
  if (!created.ok) return failed(sessionFailure(created.error));
  return done({ session, place: created.value, past: { view: EMPTY_VIEW, lastSeq: 0 } });
}

/** What the journal has to say before the conversation goes on. */
function begin(conversation: Conversation, session: Session, past: Replay): void {
  if (past.lastSeq > 0) {
    const owed = owedEvents(past.view, { sessionId: session.id, hasJournals: false });
    for (const event of owed) conversation.record(event);
  } else conversation.record({ kind: 'SESSION_START', sessionId: session.id });
  if (past.view.systemPrompt === null)
    conversation.record({ kind: 'SYSTEM_PROMPT', content: session.agentSpec.systemPrompt });
}

type LateHost = { readonly host: ProviderHost; readonly bind: (conversation: Conversation) => CallRunner };

/** A provider is opened before there is a conversation; what it is lent works from `bind` on. */
function createLateHost(options: ExecuteOptions, held: HeldSession | null): LateHost {
  const { spec, environment, canUse, signal = new AbortController().signal } = options;
  const isOffered = (tool: (typeof FILE_TOOLS)[number]): boolean =>
    (spec.tools === undefined || spec.tools.includes(tool.name)) && (spec.permissionMode !== 'plan' || tool.readOnly);
  const tools = FILE_TOOLS.filter(isOffered);
  let calls: CallRunner | null = null;
  let running: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<ToolResult>): Promise<ToolResult> => {
    const next = running.then(work);
    running = next.catch(() => undefined);
    return next;
  };
  const host: ProviderHost = {
    agentSpec: spec,
    workspaceRoot: environment.workingDirectory(),
    tools,
    signal,
    history: (id) => (held !== null && held.id === id ? held.journal.read() : null),
    onProgress: (event) => void calls?.conversation.record(event),
    runTool: (call, reply) => inTurn(() => runOwn(calls, call, reply)),
  };
  const bind = (conversation: Conversation): CallRunner => {
    const offered = tools.map(({ name }) => name);
    const fileTools = options.tools ?? createFileTools(environment);
    calls = { conversation, tools: fileTools, offered, signal, ...defined({ canUse }) };
    return calls;
  };
  return { host, bind };
}

/** A call that a provider has run by us stands in the journal as a reply of its own. */
async function runOwn(calls: CallRunner | null, call: ToolCall, { text, model }: OwnReply): Promise<ToolResult> {
  if (calls === null) return { toolCallId: call.id, output: 'There is no conversation yet.', isError: true };
  const { conversation } = calls;
  const words = text === '' ? [] : [{ kind: 'TEXT' as const, text }];
  const part = { kind: 'TOOL_CALL' as const, toolCallId: call.id, toolName: call.name, args: call.input };
  const responseId = newId('rsp');
  conversation.record({ kind: 'ASSISTANT_MESSAGE', content: [...words, part], usage: NO_USAGE, responseId, model });
  await runCall(calls, call);
  const last = conversation.view().turns.at(-1);
  const results = last?.kind === 'tool_results' ? last.results : [];
  const own = results.find(({ toolCallId }) => toolCallId === call.id);
  return own ?? { toolCallId: call.id, output: 'The call has no result.', isError: true };
}

function dead(id: string, provider: string): ExecutorFailure {
  const message = `There is no session ${JSON.stringify(id)} of ${provider}: see \`attractor sessions list\`, or leave the id out to begin a new one.`;
  return { code: 'session_not_found', message, retryable: false };
}

function sessionFailure({ code, message, retryable }: SessionsError): ExecutorFailure {
  return { code: code === 'locked' ? 'session_locked' : 'journal', message, retryable };
}
