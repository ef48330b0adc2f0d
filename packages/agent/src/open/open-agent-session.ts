import { statSync } from 'node:fs';
import { defined, done, errorOf, failed, type Failure, type Result } from '@attractor/base';
import { defaultModel, getModelInfo } from '@attractor/llm';
import { memoryFileOf } from '../compaction/memory.ts';
import { JournalError, journalsBeside, openSessions, outputFolder, shellsFolder } from '@attractor/journal';
import type { Mcp } from '@attractor/mcp';
import { livePolicy, type PermissionRule } from '@attractor/policy';
import { findSandbox, type Sandbox } from '@attractor/confine';
import type { Called, Session, SessionOptions } from '../contract/session.ts';
import { createSession, resumeSession } from '../session/session.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { type BackgroundShells, createBackgroundShells } from '../tools/background/shells.ts';
import type { ExecutionEnvironment, SessionConfig } from '../types/index.ts';
import type { AgentSession, AgentSessionOptions, Beside, Reply, SessionPlace } from './agent-session.ts';
import { type ConfinementAnswer, confineSession } from '@attractor/settings';
import { agentPlaces } from './agent-places.ts';
import { agentsOf, besideOf } from './beside.ts';
import { calledBy, expandInput } from './expand-input.ts';
import { hookedElicit } from './hooked-elicit.ts';
import { hookMeans, type MeansSource } from './hook-means.ts';
import { familyOf } from '../profiles/choose.ts';
import { openServers } from './open-servers.ts';
import { namesOf, openSessionFiles, settingFilesOf } from './session-files.ts';
import { openSessionHooks, type SessionHooksQuery } from './session-hooks.ts';
import { redactorFor, variablesOf, withVariablesOf } from './session-variables.ts';
import {
  damageOf,
  environmentOf,
  furtherFoldersOf,
  modeOf,
  passedOn,
  policyOf,
  profilesOf,
  ruleFilesOfPerson,
  rulesOf,
} from './session-parts.ts';

/**
 * Opens a conversation that acts in a folder, with everything in its setup. Every session is put together here. If it can't be opened, the
 * failure is returned as a value and nothing is left running.
 */
export async function openAgentSession(options: AgentSessionOptions): Promise<Result<AgentSession>> {
  const refusal = refusalOf(options);
  if (refusal !== null) return refused('refused', refusal);
  const rules = rulesOf(options);
  if (!rules.ok) return rules;
  const confined = await confinementOf(options);
  if (!confined.ok) return refused('no_sandbox', confined.message);
  const held = await holdPlace(options);
  if (!held.ok) return held;
  const ends = createEnds();
  if (options.sandbox === undefined && confined.sandbox !== null) ends.add(confined.sandbox.close);
  try {
    return done(await assemble(options, { ...held.value, ...confined, rules: rules.value, ends }));
  } catch (error) {
    await ends.all();
    held.value.place?.journal.close();
    if (!(error instanceof JournalError)) throw error;
    return refused(error.code, error.message, error.retryable);
  }
}

function refused(code: string, message: string, retryable = false): { readonly ok: false; readonly error: Failure } {
  return failed({ code, message, retryable });
}

/** Why no session may start here, or null. */
function refusalOf(options: AgentSessionOptions): string | null {
  const { folder, setup, environment } = options;
  if (environment === undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return `${folder} is not a folder: make it first, or work in another one.`;
  if (modeOf(options) === 'bypassPermissions' && setup?.isBypassDisabled === true)
    return 'Your settings disable bypassPermissions: choose another mode.';
  return setup?.problems[0]?.message ?? null;
}

/** Limits that can't be parsed. `isHeld`: they were written for the family of this session's model. */
function limitsOf(
  { setup }: Pick<AgentSessionOptions, 'setup'>,
  { provider, model }: Pick<Held, 'provider' | 'model'>,
) {
  const own = familyOf(provider, model);
  return (setup?.lostLimits ?? []).map(({ family, message }) => ({ message, isHeld: family === own }));
}

/** Tools that don't act on this machine need no sandbox on it. */
async function confinementOf(options: AgentSessionOptions): Promise<ConfinementAnswer> {
  const { sandbox, environment, setup = null, folder, approve } = options;
  if (sandbox === 'none' || (sandbox === undefined && environment !== undefined))
    return { ok: true, sandbox: null, notice: null };
  if (sandbox !== undefined) return { ok: true, sandbox, notice: null };
  const roots = [folder, ...furtherFoldersOf(options)];
  const found = await findSandbox({ roots });
  const interactive = approve !== undefined;
  return confineSession({ setup, found, roots, mode: modeOf(options), interactive, allowUnsandboxed: false });
}

type Held = { readonly place: SessionPlace | null; readonly provider: string; readonly model: string | undefined };

/** A session keeps its model unless another one is requested. */
async function holdPlace(options: AgentSessionOptions): Promise<Result<Held>> {
  const { home, resume, folder } = options;
  if (home === undefined) {
    if (resume !== undefined)
      return refused('invalid', 'Only a session that was kept can be resumed: say in which `home`.');
    return withModel(options, options.place ?? null);
  }
  const sessions = openSessions({ home });
  if (resume === undefined) {
    const wanted = await withModel(options, null);
    if (!wanted.ok) return wanted;
    const { provider, model } = wanted.value;
    const created = sessions.create({ cwd: folder, provider, ...defined({ model }) });
    return created.ok ? done({ provider, model, place: created.value }) : created;
  }
  const opened = sessions.open(resume);
  if (!opened.ok) return opened;
  const { about } = opened.value;
  const goesOn = options.provider === undefined || options.provider === about.provider;
  return withModel({ ...(goesOn ? about : {}), ...options }, opened.value);
}

type Asked = Pick<AgentSessionOptions, 'client' | 'provider' | 'model' | 'setup'>;

async function withModel({ client, setup, ...asked }: Asked, place: SessionPlace | null): Promise<Result<Held>> {
  try {
    const provider = asked.provider ?? (await client.provider()).id;
    const model = asked.model ?? defaultModel(provider);
    const lost = limitsOf(defined({ setup }), { provider, model }).find(({ isHeld }) => isHeld);
    if (lost === undefined) return done({ place, provider, model });
    place?.journal.close();
    return refused('refused', lost.message);
  } catch (error) {
    place?.journal.close();
    return failed(failureOf(error));
  }
}

type Parts = Held & {
  readonly sandbox: Sandbox | null;
  readonly notice: string | null;
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly ends: Ends;
};

/** What was started for a session; it is ended in reverse order. */
type Ends = { readonly add: (end: () => Promise<void>) => void; readonly all: () => Promise<void> };

function createEnds(): Ends {
  const ends: Array<() => Promise<void>> = [];
  return {
    add: (end) => void ends.push(end),
    all: async () => {
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
    },
  };
}

async function assemble(options: AgentSessionOptions, parts: Parts): Promise<AgentSession> {
  const { folder, setup = null, readOnly, approve, redactor } = options;
  const { place, sandbox, provider, ends } = parts;
  const variables = variablesOf(options);
  let hooks: Hooks | null = null;
  const seen = withVariablesOf(() => hooks, variables);
  const own = options.environment ?? environmentOf(options, { ...parts, variables, seen });
  if (options.environment === undefined) ends.add(own.cleanup);
  const environment = options.wrapEnvironment?.(own) ?? own;
  // An earlier process may have died in the middle of a change; its half-done work is rolled back.
  const isResumed = place !== null && !place.isNew;
  if (isResumed) await environment.initialize();
  const background =
    place === null || readOnly === true ? null : createBackgroundShells({ folder: shellsFolder(place) });
  if (background !== null) ends.add(background.end);
  const files = openSessionFiles(setup, folder);
  const { profile, profiles, renew } = await profilesOf(options, { ...parts, files, background, isResumed });
  const model = parts.model ?? profile.defaultModel;
  const lent: Lent = { own: null, mcp: null, session: null };
  const means = hookMeans({ client: options.client, provider, model, session: () => lent.own, mcp: () => lent.mcp });
  hooks = hooksOf(options, parts, { environment, seen: variables, means });
  if (hooks !== null) ends.add(hooks.close);
  const policy = policyOf(options, { ...parts, environment, seen });
  const live = livePolicy(policy);
  const elicit = hookedElicit(options.elicit, hooks, () => lent.session);
  const reached = { ...options, ...defined({ elicit }) };
  const servers = await openServers(reached, sandbox);
  if (servers.mcp !== null) ends.add(servers.mcp.close);
  const shared = { profile, environment, config: configOf(options, { provider, model }), policy: live };
  Object.assign(lent, { own: shared, mcp: servers.mcp });
  const openPlace = agentPlaces({ options: reached, sandbox, variables, seen, hooks, policy: live, files, lent });
  const agents = agentsOf(options, files);
  const beside = besideOf(options, { lent, policy: live, environment, files, hooks: () => hooks, renew, agents });
  const session = startSession(place, {
    ...shared,
    profiles,
    client: options.client,
    agents,
    openPlace,
    ...defined({
      compaction: setup?.compacts === false ? undefined : {},
      memoryFile: options.environment === undefined ? memoryFileOf(folder) : undefined,
      ...passedOn(options, background),
      ruleFiles: approve === undefined ? undefined : ruleFilesOfPerson(options),
      redactor: redactor ?? redactorFor(options),
      hooks: hooks ?? undefined,
      settingFiles: setup === null ? undefined : settingFilesOf(setup),
      readSkillsAgain: beside.readSkillsAgain,
      toolSources: servers.mcp === null ? undefined : [servers.mcp],
    }),
  });
  lent.session = session;
  files.bind({ ...session, policy, environment, sessionId: session.id, onSkill: (name) => hooks?.used(name) });
  const said = { files, mcp: servers.mcp, background, environment };
  const setMode: AgentSession['setMode'] = readOnly === true ? () => undefined : live.setMode;
  const notes = [...notesOf(options, { ...parts, model }), ...servers.problems];
  const about = { provider, model, folder, mode: policy.mode, notes, names: namesOf(files, agents) };
  return { ...faceOf(session, said, ends), ...beside, ...about, setMode };
}

function notesOf(options: AgentSessionOptions, { notice, place, provider, model }: Parts): ReadonlyArray<string> {
  const lost = limitsOf(options, { provider, model }).map(({ message }) => `not held to: ${message}`);
  return [notice ?? [], damageOf(place), lost].flat();
}

/** What exists only once the session is put together, and is used by what was made before it. */
type Lent = { own: ReturnType<MeansSource['session']>; mcp: Mcp | null; session: Session | null };

type HooksPlace = Pick<SessionHooksQuery, 'environment' | 'seen' | 'means'>;

function hooksOf(options: AgentSessionOptions, { place, sandbox }: Parts, where: HooksPlace): Hooks | null {
  const { setup, folder } = options;
  return openSessionHooks({
    definitions: [...(setup?.hooks ?? []), ...(options.hooks ?? [])],
    mayChange: options.servers?.mayChange === true,
    cwd: folder,
    sandbox,
    ...where,
    ...defined({ outputFolder: place === null ? undefined : outputFolder(place), variables: setup?.env }),
  });
}

/** The window of a model that is not in the catalogue is unknown; compaction starts when the provider reports that it is full. */
function configOf(
  { config, folder }: AgentSessionOptions,
  asked: Pick<SessionConfig, 'provider' | 'model'>,
): SessionConfig {
  const window = getModelInfo(asked.model)?.contextWindow;
  return {
    ...defined({ contextWindowSize: window }),
    ...config,
    ...asked,
    workingDirectory: folder,
  };
}

function startSession(place: SessionPlace | null, options: SessionOptions): Session {
  if (place === null) return createSession(options);
  const { journal, id, isNew } = place;
  const kept = {
    ...options,
    journal,
    journalFor: journalsBeside(journal.path),
    ...defined({ sessionId: id }),
  };
  return isNew ? createSession(kept) : resumeSession(kept);
}

function callServerOf(mcp: Mcp | null, environment: ExecutionEnvironment): AgentSession['callServer'] {
  return async (toolName, args, signal) => {
    const tool = mcp?.list().find(({ definition }) => definition.name === toolName);
    if (tool === undefined) return null;
    const result = await tool.executor(args, environment, { toolCallId: toolName, ...defined({ signal }) });
    return typeof result === 'string' ? { output: result, isError: false } : result;
  };
}

type Said = {
  readonly files: Parameters<typeof expandInput>[1];
  readonly mcp: Mcp | null;
  readonly background: BackgroundShells | null;
  readonly environment: ExecutionEnvironment;
};

type Assembled = 'setMode' | 'provider' | 'model' | 'folder' | 'mode' | 'names' | 'notes' | keyof Beside;

type Face = Omit<AgentSession, Assembled>;

function faceOf(session: Session, { files, mcp, background, environment }: Said, ends: Ends): Face {
  const { resume, abort, close, countAsRead: _file, renewText: _text, ...rest } = session;
  let closing: Promise<void> | null = null;
  return {
    ...rest,
    servers: () => mcp?.servers() ?? [],
    changeServers: mcp?.changes ?? null,
    callServer: callServerOf(mcp, environment),
    send: (input, about) =>
      replyTo(session, async () => {
        const called = (): Called | null => calledBy(input, files, mcp);
        await rest.submit(called() === null ? await expandInput(input, files, mcp) : input, { ...about, called });
      }),
    resume: () => replyTo(session, resume),
    interrupt: async () => {
      await Promise.all([abort(), mcp?.close()]);
    },
    prompts: async (which) => (await mcp?.commands(which)) ?? [],
    background: {
      list: () => background?.list() ?? [],
      end: async (id) => ((await background?.kill(id)) ?? null) !== null,
    },
    isAlone: () => !isAtWork(session.subagents()) && !isAtWork(background?.list() ?? []),
    close: () => (closing ??= close().then(ends.all)),
  };
}

function isAtWork(all: ReadonlyArray<{ readonly status: string }>): boolean {
  return all.some(({ status }) => status === 'running');
}

const CLOSED = 'The session is closed: open it again with `resume`, or open a new one.';

async function replyTo(session: Session, work: () => Promise<void>): Promise<Reply> {
  if (session.state() === 'CLOSED') return refused('closed', CLOSED);
  try {
    await work();
  } catch (error) {
    return failed(failureOf(error));
  }
  const error = session.error();
  if (error !== null) return failed(failureOf(error));
  if (session.state() === 'CLOSED') return refused('closed', CLOSED);
  const last = session.history().findLast((turn) => turn.kind === 'assistant');
  const parts = last?.content ?? [];
  return done({ text: parts.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('') });
}

function failureOf(thrown: unknown): Failure {
  const error = errorOf(thrown);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  return { code, message: error.message, retryable: 'retryable' in error && error.retryable === true };
}
