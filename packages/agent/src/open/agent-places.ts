import { homedir } from 'node:os';
import { defined, done, failed, type Result } from '@attractor/base';
import type { Sandbox } from '@attractor/confine';
import { openOwnNotes, type OwnNotes } from '@attractor/files';
import {
  includeTrusted,
  knownOwnWorktree,
  makeOwnWorktree,
  type OwnWorktree,
  type WorktreeSource,
} from '@attractor/git';
import type { Containment, LivePolicy } from '@attractor/policy';
import { type AgentDefinition, type HookDefinition, isOfRepository, NO_OUTCOME } from '@attractor/settings';
import type { AgentPlace, OpenAgentPlace, Session } from '../contract/session.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { withVariables } from '../hooks/variables.ts';
import type { ExecutionEnvironment } from '../types/index.ts';
import type { AgentSessionOptions } from './agent-session.ts';
import { openServers } from './open-servers.ts';
import type { SessionFiles } from './session-files.ts';
import { environmentOf, furtherFoldersOf } from './session-parts.ts';

export type PlaceSource = Omit<Parameters<typeof environmentOf>[1], 'place'> & {
  readonly options: AgentSessionOptions;
  readonly hooks: Hooks | null;
  readonly policy: LivePolicy;
  readonly files: Pick<SessionFiles, 'skillFor'>;
  /** It is put together after this. */
  readonly lent: { readonly session: Session | null };
};

/** What agents have for themselves alone: a checkout, a memory, servers, skills that they have read. All of it is ended with the agent. */
export function agentPlaces(source: PlaceSource): OpenAgentPlace {
  return (agent, worktree) =>
    OWN.every((field) => agent[field] === undefined) ? null : openPlace(source, agent, worktree);
}

const OWN = ['isolation', 'memory', 'servers', 'skills'] as const;

async function openPlace(
  source: PlaceSource,
  agent: AgentDefinition,
  known: string | undefined,
): Promise<Result<AgentPlace>> {
  const isolated = agent.isolation === undefined ? done(null) : await workAlone(source, known);
  if (!isolated.ok) return isolated;
  const work = isolated.value;
  const memory = notesOf(source, agent);
  const { mcp, problems } = await serversOf(source, agent, work);
  const read = await skillsOf(source, agent);
  return done({
    ...(work === null ? {} : { work, worktree: work.worktree.path }),
    toolSources: [...(mcp === null ? [] : [mcp]), ...(memory === null ? [] : [{ list: () => [memory.tool] }])],
    ownTools: memory === null ? [] : [memory.tool.definition.name],
    text: [memory?.text ?? '', ...read.texts].filter(Boolean).join('\n\n'),
    problems: [...(work?.left ?? []), ...problems, ...read.problems].map(
      (problem) => `Agent ${agent.name}: ${problem}`,
    ),
    end: async (isOver) => {
      await mcp?.close();
      await work?.close();
      return isOver && work !== null ? work.worktree.end() : null;
    },
  });
}

type Alone = {
  readonly environment: ExecutionEnvironment;
  readonly containment: Containment;
  readonly sandbox: Sandbox | null;
  readonly worktree: OwnWorktree;
  /** Files that belong there and are not: one line each. */
  readonly left: ReadonlyArray<string>;
  readonly close: () => Promise<void>;
};

/** Where nothing can be changed, nothing has to be kept apart. */
async function workAlone(source: PlaceSource, known: string | undefined): Promise<Result<Alone | null>> {
  const { options, hooks } = source;
  if (options.readOnly === true) return done(null);
  if (options.environment !== undefined)
    return failed({
      code: 'no_worktree',
      message: 'It needs a worktree, and its tools act elsewhere.',
      retryable: false,
    });
  const from = worktreeSource(source);
  const made = known === undefined ? await makeOwnWorktree(from) : knownOwnWorktree(from, known);
  if (!made.ok) return made;
  const worktree = made.value;
  const isNew = known === undefined && from.hook === 'none';
  const left = isNew ? await includeTrusted(worktree.path, options.setup?.loaded.trust, from.admit) : [];
  const own = { ...options, folder: worktree.path };
  const sandbox = source.sandbox?.at([worktree.path, ...furtherFoldersOf(options)]) ?? null;
  const bare = environmentOf(own, { ...source, sandbox, place: null });
  const environment = hooks === null ? bare : withVariables(bare, hooks.variables);
  return done({
    environment,
    containment: containmentOf(environment, sandbox),
    sandbox,
    worktree,
    left,
    close: async () => {
      await environment.cleanup();
      await sandbox?.close();
    },
  });
}

function containmentOf({ refuses, refusesTogether }: ExecutionEnvironment, sandbox: Sandbox | null): Containment {
  return defined({
    tools: refuses,
    together: refusesTogether,
    commands: sandbox?.refuses,
    addresses: sandbox?.cutsOff,
  });
}

function worktreeSource({ options, sandbox, lent }: PlaceSource): WorktreeSource {
  const hooks = [...(options.setup?.hooks ?? []), ...(options.hooks ?? [])];
  return {
    folder: options.folder,
    hook: hookOf(hooks.filter(({ event }) => event === 'WorktreeCreate')),
    fire: async (event, extras) => lent.session?.fireHook(event, extras) ?? NO_OUTCOME,
    admit: admitterOf(sandbox),
  };
}

function hookOf(hooks: ReadonlyArray<HookDefinition>): WorktreeSource['hook'] {
  if (hooks.length === 0) return 'none';
  return hooks.some(isOfRepository) ? 'inside' : 'anywhere';
}

function admitterOf(sandbox: Sandbox | null): WorktreeSource['admit'] {
  return sandbox?.admit ?? (() => () => undefined);
}

function notesOf({ options, policy, sandbox }: PlaceSource, agent: AgentDefinition): OwnNotes | null {
  if (agent.memory === undefined) return null;
  const { setup, folder, readOnly } = options;
  return openOwnNotes({
    agent: agent.name,
    scope: agent.memory,
    root: setup?.root ?? folder,
    userHome: setup?.userHome ?? homedir(),
    admit: admitterOf(sandbox),
    refuses: async (file) => {
      const now = policy.current();
      if (readOnly === true || now.mode === 'plan') return 'Nothing is written down where nothing may be changed.';
      const call = { toolName: 'write_file', args: { file_path: file, content: '' } };
      const { decision, rule, reason } = await now.judge(call);
      return decision === 'deny' && rule !== undefined ? `Denied: ${reason}` : null;
    },
  });
}

type ReadSkills = { readonly texts: ReadonlyArray<string>; readonly problems: ReadonlyArray<string> };

async function skillsOf({ files }: PlaceSource, { skills = [] }: AgentDefinition): Promise<ReadSkills> {
  const texts: string[] = [];
  const problems: string[] = [];
  for (const name of skills) {
    const said = await files.skillFor(name);
    if (said?.ok === true) texts.push(`<skill name="${name}">\n${said.text}\n</skill>`);
    else problems.push(said === null ? `there is no skill ${name}` : `the skill ${name}: ${said.message}`);
  }
  return { texts, problems };
}

type OwnServers = Awaited<ReturnType<typeof openServers>>;

async function serversOf(
  { options, sandbox }: PlaceSource,
  agent: AgentDefinition,
  work: Alone | null,
): Promise<OwnServers> {
  const { servers: written } = agent;
  if (written === undefined) return { mcp: null, problems: [] };
  const { setup, servers: _ofSession, ...rest } = options;
  const folder = work?.worktree.path ?? options.folder;
  const given = Object.fromEntries([...written].map(([name, { value }]) => [name, value]));
  const own =
    setup === undefined ? { servers: { mcp: [], mcpConfig: given } } : { setup: { ...setup, servers: written } };
  return openServers({ ...rest, folder, ...own }, work === null ? sandbox : work.sandbox);
}
