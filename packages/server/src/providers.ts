import { join } from 'node:path';
import type { ProviderInfo } from '@attractor/api';
import { listModels, type LlmConfiguration, missingSetting, SERVICES } from '@attractor/llm';

/** Every service that we know by name and every further one that is configured; those that are ready come first. */
export function describeProviders({ providers = {} }: LlmConfiguration, home: string): ReadonlyArray<ProviderInfo> {
  const settingsFile = join(home, 'config.json');
  const known = SERVICES.map((row) => ({
    ...row,
    isReady: row.id in providers && missingSetting(row, providers[row.id] ?? {}) === null,
  }));
  const shown = known.map(({ id, key, keyVariables, baseUrlVariables = [], cloud, isReady }) => ({
    id,
    isReady,
    isKeyOptional: key === 'optional',
    keyVariables,
    addressVariables: [...baseUrlVariables, ...(cloud?.needs.flatMap((need) => cloud.variables[need] ?? []) ?? [])],
    settingsFile,
    models: listModels(id).map(({ id: model, aliases, contextWindow }) => ({ id: model, aliases, contextWindow })),
  }));
  const others = Object.keys(providers).filter((id) => !SERVICES.some((row) => row.id === id));
  const further = others.map((id) => ({
    id,
    isReady: true,
    isKeyOptional: true,
    keyVariables: [],
    addressVariables: [],
    settingsFile,
    models: [],
  }));
  return [...shown, ...further].toSorted((a, b) => Number(b.isReady) - Number(a.isReady));
}
