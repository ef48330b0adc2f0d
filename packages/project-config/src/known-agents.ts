import { done, isRecord, nearestName } from '@attractor/base';
import { RUN_DEFAULTS } from '@attractor/facts';
import {
  type Agent,
  createCliAgent,
  createReadyScriptedAgent,
  createScriptedAgent,
  FOREIGN_KINDS,
  knownForeignAgents,
  readCliDefinition,
  readForeignDefinition,
  readScripts,
} from '@attractor/adapters';
import { followedConfig, type ProjectConfig, readHomeConfig } from './project-config.ts';
import { refuse, type Result } from '@attractor/store';
import type { Configured } from './configured.ts';

/** Where agents come from: those that this process was given, those that files define with a `"type"`, and those that are known anyway. */
export type AgentSources = {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly home: string;
  /** Null: only what holds for every project. */
  readonly projectPath: string | null;
  /** The machine's variables: a command sees those that its definition names. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
};

/** A repository's definition counts while a person trusts it, and then wins over the person's own of that name. */
export async function findAgent(sources: AgentSources, type: string): Promise<Result<Agent>> {
  const given = sources.agents.get(type);
  if (given !== undefined) return done(given);
  const project = sources.projectPath === null ? null : followedConfig(sources.projectPath, sources);
  if (project !== null && !project.ok) return project;
  const home = await readHomeConfig(sources.home);
  if (!home.ok) return home;
  const repository = project?.value ?? null;
  const files = [...(repository?.trust === 'trusted' ? [repository] : []), home.value];
  const file = files.find((candidate) => definitionIn(candidate, type) !== null);
  if (file !== undefined) return fromDefinition(file, type, sources.hostEnv);
  const anyway = knownAnyway(sources.hostEnv);
  const bare = anyway.find((agent) => agent.type === type);
  if (bare !== undefined) return done(bare);
  const names = [...sources.agents.keys(), ...files.flatMap(definedNames), ...anyway.map((agent) => agent.type)];
  const known = [...new Set(names)];
  return refuse('unknown_agent', `${unknownAgent(type, known)}${unlessTrusted(repository, type)}`, { known });
}

function unknownAgent(type: string, known: ReadonlyArray<string>): string {
  const near = nearestName(type, known);
  const meant = near === null ? '' : ` Did you mean "${near}"?`;
  return `There is no agent "${type}" here; known are ${known.join(', ') || 'none'}.${meant}`;
}

function unlessTrusted(repository: ProjectConfig | null, type: string): string {
  if (repository === null || repository.trust === 'trusted' || definitionIn(repository, type) === null) return '';
  return ` Its repository defines "${type}", but nobody has trusted it: look at it with \`attractor trust show\` there.`;
}

/**
 * The agents that a person defined for every project, then those that are known anyway, installed or not. One that is defined wrongly is
 * there too, and says what is wrong with it. `given` are the names of those that need no definition. Refused if the file can't be followed.
 */
export async function agentsOfPerson(
  home: string,
  hostEnv: AgentSources['hostEnv'],
  given: ReadonlyArray<string> = [],
): Promise<Result<ReadonlyArray<Agent>>> {
  const read = await readHomeConfig(home);
  if (!read.ok) return read;
  const names = definedNames(read.value);
  const anyway = knownAnyway(hostEnv);
  const known = new Set([...names, ...given, ...anyway.map(({ type }) => type)]);
  const unknown = Object.keys(read.value.agents).filter((type) => !known.has(type));
  const defined = [...names, ...unknown].map((type) => {
    const made = fromDefinition(read.value, type, hostEnv);
    return made.ok ? made.value : unusableAgent(type, made.error.message);
  });
  return done([...defined, ...anyway.filter(({ type }) => !names.includes(type) && !given.includes(type))]);
}

/** Those that need no definition. The scripted one comes last: it is no worker, and always there. */
function knownAnyway(env: AgentSources['hostEnv']): ReadonlyArray<Agent> {
  return [...knownForeignAgents(env), createReadyScriptedAgent()];
}

function unusableAgent(type: string, reason: string): Agent {
  const tokenUsage = { inputTokens: 0, outputTokens: 0, totalCost: null };
  const error = { code: 'configuration', message: reason, retryable: false };
  return {
    type,
    displayName: type,
    isAvailable: async () => ({ available: false, reason }),
    getDefaultConfig: () => RUN_DEFAULTS,
    run: async () => ({ exitCode: 1, finalText: '', tokenUsage, error }),
  };
}

function definedNames(file: Configured): ReadonlyArray<string> {
  const { agents } = file.whole;
  return isRecord(agents) ? Object.keys(agents).filter((type) => definitionIn(file, type) !== null) : [];
}

function definitionIn({ whole }: Configured, type: string): Readonly<Record<string, unknown>> | null {
  const { agents } = whole;
  const definition = isRecord(agents) && Object.hasOwn(agents, type) ? agents[type] : null;
  return isRecord(definition) && definition['type'] !== undefined ? definition : null;
}

function fromDefinition(file: Configured, type: string, env: AgentSources['hostEnv']): Result<Agent> {
  const place = `${file.path ?? ''}:${file.lines[`agents.${type}`] ?? 1}`;
  const definition = definitionIn(file, type) ?? {};
  const made = makeAgent({ type, definition, env });
  return typeof made === 'string' ? refuse('invalid', `${place}: ${made}`) : done(made);
}

type Defined = {
  readonly type: string;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly env: AgentSources['hostEnv'];
};

/** The agent, or what is wrong with its definition. */
function makeAgent({ type, definition, env }: Defined): Agent | string {
  const kind = String(definition['type']);
  if (kind === 'cli') {
    const read = readCliDefinition(definition);
    return read.ok ? createCliAgent({ type, definition: read.value, env }) : `agents.${type}: ${read.problem}.`;
  }
  if (kind === 'scripted') {
    const scripts = readScripts(definition['scripts']);
    return typeof scripts === 'string' ? `agents.${type}: ${scripts}.` : createScriptedAgent(scripts, type);
  }
  const make = FOREIGN_KINDS[kind];
  const kinds = KINDS.map((name) => `"${name}"`).join(', ');
  if (definition['type'] === undefined)
    return `There is no agent "${type}" that this could belong to. Give "agents.${type}" a "type": ${kinds}.`;
  if (make === undefined) return `"agents.${type}.type" must be ${kinds}, or be left out.`;
  const read = readForeignDefinition(definition);
  return read.ok ? make({ type, definition: read.value, env }) : `agents.${type}: ${read.error.message}.`;
}

const KINDS = ['cli', 'scripted', ...Object.keys(FOREIGN_KINDS)];
