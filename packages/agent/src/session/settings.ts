import { defined } from '@attractor/base';
import {
  createToolRegistry,
  type ConfiguredFields,
  type ProviderProfile,
  type RegisteredTool,
  type SessionConfig,
  type ToolRegistry,
} from '../types/index.ts';
import { ownNameOf } from '@attractor/tool-table';
import { namedFor } from '../tools/named-for.ts';
import type { SessionOptions } from '../contract/session.ts';
import { withoutDenied } from './under-policy.ts';

/** The settings of the next model request. The registry is the session's own copy: tools registered in it are seen nowhere else. */
export type Settings = {
  readonly config: SessionConfig;
  readonly profile: ProviderProfile;
  readonly registry: ToolRegistry;
  /** The tool that a call of this name is for: it is judged, run and recorded as that one's. */
  readonly targetOf: (toolName: string) => string;
};

export type SettingsSource = {
  readonly options: SessionOptions;
  /** By id: the known profiles, the latest for each. */
  readonly profiles: ReadonlyMap<string, ProviderProfile>;
  readonly configured: ConfiguredFields;
  /** Tools that need the session, under their own names; a profile's tool of the same name wins. */
  readonly ownTools: ReadonlyArray<OwnTool>;
};

/** A tool that is not offered still answers, so that a model that calls it anyway learns why not. */
export type OwnTool = { readonly tool: RegisteredTool; readonly isOffered: boolean };

export function settingsOf({ options, profiles, configured, ownTools }: SettingsSource): Settings {
  const profile = profiles.get(configured.profile ?? options.profile.id) ?? options.profile;
  return {
    config: configOf(options.config, configured),
    profile,
    registry: withoutDenied(
      options.policy,
      withSources(onlyOffered(registryOf(profile, ownTools), options.offers), options.toolSources),
    ),
    targetOf: targetsOf(options.toolAliases),
  };
}

function configOf(config: SessionConfig, { model, provider, reasoningEffort }: ConfiguredFields): SessionConfig {
  const { reasoningEffort: initial, ...rest } = config;
  const effort = reasoningEffort === undefined ? initial : (reasoningEffort ?? undefined);
  return {
    ...rest,
    model: model ?? config.model,
    provider: provider ?? config.provider,
    ...defined({ reasoningEffort: effort }),
  };
}

function registryOf(profile: ProviderProfile, ownTools: ReadonlyArray<OwnTool>): ToolRegistry {
  const given = profile.toolRegistry.list();
  const names = new Set(given.map(({ definition }) => definition.name));
  const own = ownTools
    .map(({ tool, isOffered }) => ({ tool: namedFor(tool, profile.id), isOffered }))
    .filter(({ tool }) => !names.has(tool.definition.name));
  const hidden = new Set(own.flatMap(({ tool, isOffered }) => (isOffered ? [] : [tool.definition.name])));
  const registry = createToolRegistry([...given, ...own.map(({ tool }) => tool)]);
  return {
    ...registry,
    // A profile's registry may find tools that it does not list. They also win over the session's own.
    get: (name) => (names.has(name) ? null : profile.toolRegistry.get(name)) ?? registry.get(name),
    definitions: () => registry.definitions().filter(({ name }) => !hidden.has(name)),
  };
}

/** A tool that the session does not have is unknown to it, whoever calls it. */
function onlyOffered(registry: ToolRegistry, offers: SessionOptions['offers']): ToolRegistry {
  if (offers === undefined) return registry;
  return {
    ...registry,
    list: () => registry.list().filter(({ definition }) => offers(definition.name)),
    get: (name) => (offers(name) ? registry.get(name) : null),
    definitions: () => registry.definitions().filter(({ name }) => offers(name)),
  };
}

/** A source's tool with the name of one of ours is not used. */
function withSources(registry: ToolRegistry, sources: SessionOptions['toolSources'] = []): ToolRegistry {
  if (sources.length === 0) return registry;
  const further = (): ReadonlyArray<RegisteredTool> =>
    sources.flatMap((source) => source.list()).filter(({ definition }) => registry.get(definition.name) === null);
  const list = (): ReadonlyArray<RegisteredTool> => [...registry.list(), ...further()];
  return {
    ...registry,
    list,
    get: (name) => registry.get(name) ?? further().find(({ definition }) => definition.name === name) ?? null,
    definitions: () => [...registry.definitions(), ...further().map(({ definition }) => definition)],
  };
}

function targetsOf(aliases: SessionOptions['toolAliases'] = {}): Settings['targetOf'] {
  const targets = new Map(Object.entries(aliases).map(([name, target]) => [ownNameOf(name), target]));
  return (toolName) => targets.get(ownNameOf(toolName)) ?? toolName;
}
