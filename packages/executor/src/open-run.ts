import { type AgentSession, openAgentSession } from '@attractor/agent';
import { defined, done, failed, type Result } from '@attractor/base';
import type { HeldSession, SessionsError } from '@attractor/journal';
import { agentProfile, toolsOf } from './agent-profile.ts';
import type { ExecuteOptions, ExecutorFailure, Redacting } from './execute-options.ts';
import { OUTPUT_LIMITS } from './file-tools/definitions.ts';
import type { Provider, ProviderHost, Session } from './provider.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';
import { writeSessionFile } from './session-file.ts';

/** A conversation with an agent, and the client that asks its provider. */
export type Run = { readonly session: AgentSession; readonly client: ProviderClient };

/** Creates or resumes the session, opens its journal, and writes its id into the workspace, all before the first request. */
export async function openRun(options: Redacting): Promise<Result<Run, ExecutorFailure>> {
  const held = hold(options);
  if (!held.ok) return held;
  const client = createProviderClient(options.signal ?? new AbortController().signal);
  const provider = options.provider.open(hostOf(options, client, held.value));
  const found = await findSession(options, provider, held.value);
  if (!found.ok) {
    held.value?.journal.close();
    await provider.close?.();
    return found;
  }
  client.connect({ provider, session: found.value.session, limit: limitOf(options, found.value.session) });
  const opened = await openConversation(options, client, found.value);
  if (!opened.ok) await client.close();
  return opened.ok ? done({ session: opened.value, client }) : opened;
}

/** The journal of a known session; null if we have none. The provider itself may still know the id. */
function hold({ sessions, sessionId, provider }: ExecuteOptions): Result<HeldSession | null, ExecutorFailure> {
  if (sessionId === undefined) return done(null);
  const opened = sessions.open(sessionId);
  if (!opened.ok) return opened.error.code === 'not_found' ? done(null) : failed(sessionFailure(opened.error));
  const { about, journal, id } = opened.value;
  const owner = about.provider ?? provider.id;
  if (owner === provider.id) return opened;
  journal.close();
  const message = `Session ${id} belongs to ${owner}, not to ${provider.id}: pass --provider=${owner}, or begin a new session without its id.`;
  return failed({ code: 'session_of_other_provider', message, retryable: false });
}

function hostOf({ spec, environment }: ExecuteOptions, client: ProviderClient, held: HeldSession | null): ProviderHost {
  return {
    ...client.host,
    agentSpec: spec,
    workspaceRoot: environment.workingDirectory(),
    tools: toolsOf(spec),
    history: (id) => (held !== null && held.id === id ? held.journal.read() : null),
  };
}

/** The provider's session and the place of its journal. */
type Found = { readonly session: Session; readonly place: HeldSession };

async function findSession(
  options: ExecuteOptions,
  provider: Provider,
  held: HeldSession | null,
): Promise<Result<Found, ExecutorFailure>> {
  const { spec, sessions, sessionId } = options;
  const cwd = options.environment.workingDirectory();
  const id = held?.id ?? sessionId;
  const found = id === undefined ? await provider.createSession(spec, cwd) : await provider.resumeSession(id);
  if (!found.ok) return found;
  if (found.value === null) return failed(dead(id ?? '', options.provider.id));
  const session = found.value;
  if (held !== null) return done({ session, place: held });
  const model = defined({ model: spec.model });
  const created = sessions.create({ cwd, provider: options.provider.id, ...model, sessionId: session.id });
  return created.ok ? done({ session, place: created.value }) : failed(sessionFailure(created.error));
}

const DEFAULT_MAX_TURNS = 200;

function limitOf({ maxTurns = DEFAULT_MAX_TURNS }: ExecuteOptions, { agentSpec }: Session): number {
  return Math.min(maxTurns, agentSpec.maxTurns ?? Infinity);
}

async function openConversation(
  options: Redacting,
  client: ProviderClient,
  { session: { agentSpec }, place }: Found,
): Promise<Result<AgentSession, ExecutorFailure>> {
  const { environment, redactor, provider } = options;
  const opened = await openAgentSession({
    folder: environment.workingDirectory(),
    environment,
    client,
    provider: provider.id,
    // Only the provider knows its model and the size of its context window.
    model: 'unknown',
    place,
    redactor,
    profile: agentProfile({ ...options, systemText: agentSpec.systemPrompt, client }),
    // `canUse` decides instead, when a tool is called.
    mode: 'bypassPermissions',
    sandbox: 'none',
    config: { ...OUTPUT_LIMITS, loopDetectionWindow: 0, maxSubagentDepth: 0 },
  });
  if (!opened.ok) return failed({ ...opened.error, code: 'journal' });
  const written = await writeSessionFile(environment, place.id);
  if (!written.ok) await opened.value.close();
  return written.ok ? opened : written;
}

function dead(id: string, provider: string): ExecutorFailure {
  const message = `There is no session ${JSON.stringify(id)} of ${provider}: see \`attractor sessions list\`, or leave the id out to begin a new one.`;
  return { code: 'session_not_found', message, retryable: false };
}

function sessionFailure({ code, message, retryable }: SessionsError): ExecutorFailure {
  return { code: code === 'locked' ? 'session_locked' : 'journal', message, retryable };
}
