import { done, isRecord } from '@attractor/base';
import { type Agent, createCliAgent, readCliDefinition } from '@attractor/adapters';
import { followedConfig, readHomeConfig } from './project-config.ts';
import { refuse, type Result } from '@attractor/store';
import type { Configured } from './configured.ts';

/** Where agents come from: those that this process was given, then those that files define as `"type": "cli"`. */
export type AgentSources = {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly home: string;
  readonly projectPath: string;
  /** The machine's variables: a command sees those that its definition names. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
};

/** A repository's definition counts while a person trusts it, and then wins over the person's own of that name. */
export async function findAgent(sources: AgentSources, type: string): Promise<Result<Agent>> {
  const given = sources.agents.get(type);
  if (given !== undefined) return done(given);
  const project = followedConfig(sources.projectPath, sources);
  if (!project.ok) return project;
  const home = await readHomeConfig(sources.home);
  if (!home.ok) return home;
  const files = [...(project.value.trust === 'trusted' ? [project.value] : []), home.value];
  const file = files.find((candidate) => definitionIn(candidate, type) !== null);
  if (file !== undefined) return fromDefinition(file, type, sources.hostEnv);
  const known = [...sources.agents.keys(), ...files.flatMap(definedNames)].join(', ') || 'none';
  return refuse('unavailable', `There is no agent "${type}" here; known are ${known}.`);
}

/** The commands that a person defined as agents for every project. Invalid definitions are left out. */
export async function agentsOfPerson(home: string, hostEnv: AgentSources['hostEnv']): Promise<ReadonlyArray<Agent>> {
  const read = await readHomeConfig(home);
  if (!read.ok) return [];
  const made = definedNames(read.value).map((type) => fromDefinition(read.value, type, hostEnv));
  return made.flatMap((result) => (result.ok ? [result.value] : []));
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
  if (definition['type'] !== 'cli')
    return refuse('invalid', `${place}: "agents.${type}.type" must be "cli", or be left out.`);
  const read = readCliDefinition(definition);
  if (!read.ok) return refuse('invalid', `${place}: agents.${type}: ${read.problem}.`);
  return done(createCliAgent({ type, definition: read.value, env }));
}
