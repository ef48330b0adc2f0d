import { configurationFromEnvironment, SERVICES } from '@attractor/llm';
import type { Variables } from '@attractor/system';
import type { SettingEntry } from './source.ts';

const VARIABLES: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ['home', ['ATTRACTOR_HOME']],
  ['proxies.http', ['http_proxy', 'HTTP_PROXY']],
  ['proxies.https', ['https_proxy', 'HTTPS_PROXY']],
  ['proxies.no', ['no_proxy', 'NO_PROXY']],
];

/** Settings from variables; if a setting has several names, the first one that is set counts. */
export function environmentSettings(env: Variables): ReadonlyArray<SettingEntry> {
  const plain = VARIABLES.flatMap(([name, variables]) => entry(env, variables, { name, key: null }));
  const meant = configurationFromEnvironment(env).providers ?? {};
  const services = SERVICES.filter(({ id, cloud }) => cloud === undefined || id in meant).flatMap((row) => [
    ...entry(env, row.keyVariables, { name: 'providers', key: `${row.id}.apiKey` }),
    ...entry(env, row.tokenVariables ?? [], { name: 'providers', key: `${row.id}.authToken` }),
    ...entry(env, row.baseUrlVariables ?? [], { name: 'providers', key: `${row.id}.baseUrl` }),
    ...Object.entries(row.cloud?.variables ?? {}).flatMap(([field, names]) =>
      entry(env, names, { name: 'providers', key: `${row.id}.${field}` }),
    ),
  ]);
  return [...plain, ...services];
}

function entry(
  env: Variables,
  variables: ReadonlyArray<string>,
  setting: Pick<SettingEntry, 'name' | 'key'>,
): ReadonlyArray<SettingEntry> {
  const set = variables.find((name) => (env[name] ?? '').trim() !== '');
  if (set === undefined) return [];
  const origin = { scope: 'environment', agent: 'attractor', file: null, line: null, name: set } as const;
  return [{ ...setting, value: env[set]?.trim(), origin }];
}
