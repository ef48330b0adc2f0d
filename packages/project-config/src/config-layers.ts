import { existsSync } from 'node:fs';
import { defined, done } from '@attractor/base';
import type { Agent, AgentConfig } from '@attractor/adapters';
import { agentConfigProblem, pickAgentConfig } from './parse-config.ts';
import { followedConfig, isAnythingWritten, type ProjectConfig, readHomeConfig } from './project-config.ts';
import { type Project, refuse, type Result } from '@attractor/store';
import { findAgent } from './known-agents.ts';
import type { Configured } from './configured.ts';

/** The layers of a configuration, weakest first. */
export type ConfigLayer = 'agent' | 'home' | 'project' | 'hook' | 'run';

/** Which layer set a value, with the line if the layer is a file. */
export type ConfigOrigin = { readonly layer: ConfigLayer; readonly file?: string; readonly line?: number };

export type ConfigOrigins = Readonly<Record<string, ConfigOrigin>>;

/** The agent of a run and its configuration, with the layer that each value came from. */
export type LayeredConfig = {
  readonly agent: Agent;
  readonly config: AgentConfig;
  readonly origins: ConfigOrigins;
  readonly project: ProjectConfig;
  /** What the project says about agents is ignored, because nobody trusted it. */
  readonly isProjectIgnored: boolean;
};

/** What the configuration of a run depends on; the command line and a run use the same. */
export type ConfigQuery = {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly home: string;
  readonly project: Pick<Project, 'path' | 'config'>;
  readonly defaultAgentType: string;
  /** The machine's variables, for agents that are commands. */
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
  readonly hookParams?: Readonly<Record<string, unknown>>;
  readonly overrides?: Readonly<Record<string, unknown>>;
};

/** Five layers, later ones win: the agent's own, the person's, the project's (if a person trusted it), the hook's, the run's. */
export async function explainRunConfig(query: ConfigQuery): Promise<Result<LayeredConfig>> {
  const { hookParams = {}, overrides = {} } = query;
  const files = await readFiles(query);
  if (!files.ok) return files;
  const { project, home, trusted } = files.value;
  const chosen = chooseAgent(query, files.value);
  const { type } = chosen;
  const found = await findAgent({ hostEnv: {}, ...query, projectPath: query.project.path }, type);
  if (!found.ok) return withPlace(found, chosen);
  const agent = found.value;
  const wrong = wrongLayer({ hook: hookParams, run: overrides });
  if (wrong !== null) return refuse('invalid', wrong);
  const layers: ReadonlyArray<Layer> = [
    { layer: 'agent', config: agent.getDefaultConfig() },
    ...fileLayers('home', home, type),
    ...(trusted === null ? [] : fileLayers('project', trusted, type).map(withoutBypass)),
    { layer: 'project', config: chosenHere(query.project) },
    { layer: 'hook', config: pickAgentConfig(hookParams) },
    { layer: 'run', config: pickAgentConfig(overrides) },
  ];
  const { agents, defaultAgentType } = project;
  const isProjectIgnored = trusted === null && (defaultAgentType !== null || Object.keys(agents).length > 0);
  return done({ agent, ...mergeLayers(layers), project, isProjectIgnored });
}

/** `trusted`: the project's file, if it is obeyed. */
type Files = { readonly project: ProjectConfig; readonly home: Configured; readonly trusted: ProjectConfig | null };

async function readFiles(query: Pick<ConfigQuery, 'home' | 'project'>): Promise<Result<Files>> {
  const project = followedConfig(query.project.path, query);
  if (!project.ok) return project;
  const home = await readHomeConfig(query.home);
  if (!home.ok) return home;
  const trusted = project.value.trust === 'trusted' ? project.value : null;
  return done({ project: project.value, home: home.value, trusted });
}

/** `by`: what makes it the default, a file or the project's own setting; null: it was named, or nobody chose. */
type Chosen = { readonly type: string; readonly by: Configured | 'setting' | null };

function chooseAgent(query: ConfigQuery, { home, trusted }: Files): Chosen {
  const asked = query.overrides?.['agentType'] ?? query.hookParams?.['agentType'];
  if (typeof asked === 'string') return { type: asked, by: null };
  const own = query.project.config.defaultAgentType;
  if (own !== undefined) return { type: own, by: 'setting' };
  const by = [trusted, home].find((file) => (file?.defaultAgentType ?? null) !== null) ?? null;
  return { type: by?.defaultAgentType ?? query.defaultAgentType, by };
}

/** The agent that is started in a project if nobody names one; null: no setting and no file chose it. */
export async function usualAgent(query: Pick<ConfigQuery, 'home' | 'project'>): Promise<string | null> {
  const files = await readFiles(query);
  const { type = '' } = files.ok ? chooseAgent({ ...query, agents: new Map(), defaultAgentType: '' }, files.value) : {};
  return type === '' ? null : type;
}

type Refused = Extract<Result<never>, { readonly ok: false }>;

/** Whoever reads it finds the line, or the setting, to correct. */
function withPlace(refused: Refused, { type, by }: Chosen): Refused {
  const { code, message, detail } = refused.error;
  if (by === null || code !== 'unknown_agent') return refused;
  if (by === 'setting')
    return refuse(code, `The project's "defaultAgentType" is "${type}". ${message} ${CHOOSE}`, detail);
  const place = `${by.path ?? ''}:${by.lines['defaultAgentType'] ?? 1}`;
  return refuse(code, `${place}: "defaultAgentType" is "${type}". ${message}`, detail);
}

const CHOOSE = `Choose another: attractor projects update --config '{"defaultAgentType": "native"}'`;

type DefaultQuery = Omit<ConfigQuery, 'defaultAgentType'>;

/** Who is started in a project if nobody names an agent; null: nobody chose one. */
async function findDefault(
  query: DefaultQuery,
  files: Files,
): Promise<{ readonly type: string; readonly agent: Result<Agent> } | null> {
  const chosen = chooseAgent({ ...query, defaultAgentType: '' }, files);
  if (chosen.by === null) return null;
  const found = await findAgent({ hostEnv: {}, ...query, projectPath: query.project.path }, chosen.type);
  return { type: chosen.type, agent: found.ok ? found : withPlace(found, chosen) };
}

/** Why the agent that a file or a setting makes the default here is none; null: there is one, nobody chose, or the repository is elsewhere. */
export async function unknownDefault(query: DefaultQuery): Promise<Refused | null> {
  const { home, project } = query;
  if (project.config.defaultAgentType === undefined && !isAnythingWritten(project.path, { home })) return null;
  if (!existsSync(project.path)) return null;
  const files = await readFiles(query);
  const found = files.ok ? await findDefault(query, files.value) : null;
  return found === null || found.agent.ok ? null : found.agent;
}

/** How the default agent of a project stands on this machine. `type` is null where nobody chose one. */
export type DefaultAgent = {
  readonly type: string | null;
  readonly problem: 'unknown' | 'unavailable' | null;
  readonly message: string;
};

export async function examineDefault(query: DefaultQuery): Promise<DefaultAgent> {
  const files = await readFiles(query);
  if (!files.ok) return { type: null, problem: 'unknown', message: files.error.message };
  const found = await findDefault(query, files.value);
  if (found === null) return { type: null, problem: null, message: '' };
  const { type, agent } = found;
  if (!agent.ok) return { type, problem: 'unknown', message: agent.error.message };
  const now = await agent.value.isAvailable();
  if (now.available) return { type, problem: null, message: '' };
  return { type, problem: 'unavailable', message: `${agent.value.displayName} can't run here: ${now.reason}` };
}

function wrongLayer(given: Readonly<Record<'hook' | 'run', unknown>>): string | null {
  const hook = agentConfigProblem(given.hook);
  if (hook !== null) return `The pipeline's hook that starts this agent is wrong: ${hook}. Correct its params.`;
  const run = agentConfigProblem(given.run);
  return run === null ? null : `The settings of this run are wrong: ${run}.`;
}

type Layer = {
  readonly layer: ConfigLayer;
  readonly config: AgentConfig;
  readonly file?: string;
  readonly lineOf?: (key: string) => number | undefined;
};

/** A file's settings for all agents (`git`), then those for this one. */
function fileLayers(layer: ConfigLayer, file: Configured, type: string): ReadonlyArray<Layer> {
  const place = file.path === null ? {} : { file: file.path };
  return [
    { layer, config: pickAgentConfig(file.git), ...place, lineOf: (key) => file.lines[`git.${key}`] },
    { layer, config: file.agents[type] ?? {}, ...place, lineOf: (key) => file.lines[`agents.${type}.${key}`] },
  ];
}

/** A repository can't take its own agents out of a person's hands, even if it is trusted. */
function withoutBypass(layer: Layer): Layer {
  if (layer.config.permissionMode !== 'bypassPermissions') return layer;
  const { permissionMode: _not, ...config } = layer.config;
  return { ...layer, config };
}

/** What people chose for the project here wins over its repository's settings. */
function chosenHere({ config }: Pick<Project, 'config'>): AgentConfig {
  return { ...pickAgentConfig(config.git ?? {}), ...defined({ permissionMode: config.permissionMode }) };
}

/** Later layers win, value by value. */
export function mergeLayers(layers: ReadonlyArray<Layer>): Pick<LayeredConfig, 'config' | 'origins'> {
  const config: AgentConfig = Object.assign({}, ...layers.map((layer) => layer.config));
  const origins: Record<string, ConfigOrigin> = {};
  for (const { layer, config: values, file, lineOf } of layers) {
    for (const key of Object.keys(values)) {
      const line = lineOf?.(key);
      origins[key] = { layer, ...defined({ file, line }) };
    }
  }
  return { config, origins };
}
