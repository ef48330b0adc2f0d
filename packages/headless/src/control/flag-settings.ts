import { isRecord } from '@attractor/base';
import { modelNamed } from '@attractor/llm';
import { parseRule, type PermissionRule } from '@attractor/policy';
import { writeLocalSetting } from '@attractor/settings';
import type { Answer, Controlled, ControlOutcome } from './controlled.ts';
import { effortNamed, EFFORTS } from './effort.ts';
import { modeAsked } from './permission-mode.ts';

/** What is done with one setting, or why it is not. Nothing is done before all of a request are read. */
type Reading = { readonly apply: () => void } | { readonly error: string };

type Reader = (controlled: Controlled, value: unknown) => Reading;

/** Settings that change while a session runs; null takes one back. What a person denied stays denied: rules are only added to theirs. */
const READERS: Readonly<Record<string, Reader>> = {
  model: ({ session, initialModel }, value) => {
    if (value !== null && (typeof value !== 'string' || value === '')) return { error: 'model: expected a name' };
    const model = value === null ? initialModel : modelNamed(value);
    return { apply: () => session.configure({ model, by: { source: 'sdk', asked: value } }) };
  },
  effortLevel: ({ session }, value) => {
    const reasoningEffort = value === null ? null : effortNamed(value);
    if (reasoningEffort === undefined) return { error: `effortLevel: expected one of ${EFFORTS.join(', ')}` };
    return { apply: () => session.configure({ reasoningEffort }) };
  },
  outputStyle: ({ session }, value) => {
    const name = value ?? 'default';
    const { styles } = session.names();
    if (typeof name !== 'string' || !styles.some((one) => one.toLowerCase() === name.toLowerCase()))
      return { error: `outputStyle: there is no ${JSON.stringify(name)}. Known: ${styles.join(', ')}` };
    return { apply: () => void session.setStyle(name) };
  },
  permissions: (controlled, value) => {
    if (value !== null && !isRecord(value)) return { error: 'permissions: expected an object' };
    return permissionsIn(controlled, value ?? {});
  },
};

const LISTS = ['allow', 'ask', 'deny'] as const;

function permissionsIn(controlled: Controlled, written: Readonly<Record<string, unknown>>): Reading {
  const { session, given } = controlled;
  const { defaultMode, ...lists } = written;
  const rules: PermissionRule[] = [];
  for (const [name, texts] of Object.entries(lists)) {
    const behavior = LISTS.find((one) => one === name);
    if (behavior === undefined) return { error: `permissions.${name}: ${STAYS}` };
    if (!Array.isArray(texts)) return { error: `permissions.${name}: expected a list of rules` };
    for (const text of texts) {
      const parsed = parseRule(String(text), behavior, { scope: 'flag', file: null, line: null, root: session.folder });
      if (!parsed.ok) return { error: `permissions.${name}: ${parsed.error.message}` };
      rules.push(parsed.rule);
    }
  }
  const mode = defaultMode === undefined ? null : modeAsked(controlled, defaultMode);
  if (mode !== null && 'error' in mode) return { error: `permissions.defaultMode: ${mode.error}` };
  return {
    apply: () => {
      given.setRules(rules);
      if (mode !== null) session.setMode(mode.mode);
    },
  };
}

const STAYS = 'does not change while the session runs: give it when the session starts';

export const applyFlagSettings: Answer = (controlled, { settings }) => {
  if (!isRecord(settings)) return { error: 'apply_flag_settings needs `settings`, an object.' };
  const read = Object.entries(settings).map(([key, value]): Reading => {
    const reader = Object.hasOwn(READERS, key) ? READERS[key] : undefined;
    return reader?.(controlled, value) ?? { error: `${key}: ${STAYS}` };
  });
  const errors = read.flatMap((one) => ('error' in one ? [one.error] : []));
  if (errors.length > 0) return { error: `Nothing was applied. ${errors.join('; ')}.` };
  for (const one of read) if ('apply' in one) one.apply();
  return { response: {} };
};

/** Of all settings only the style of answers is written down: into the repository's file for this person alone. */
export const updateSettings: Answer = async (controlled, { source, settings }) => {
  if (!isRecord(settings)) return { error: 'update_settings needs `settings`, an object.' };
  const { session, setup } = controlled;
  const { outputStyle, ...others } = settings;
  const [other] = Object.keys(others);
  if (other !== undefined)
    return { error: `update_settings: ${other} is not written by a program: change it in its file.` };
  if (source !== 'localSettings')
    return { error: `update_settings: ${String(source)} is not written: outputStyle belongs in localSettings.` };
  if (typeof outputStyle !== 'string') return { error: 'update_settings needs `outputStyle`, the name of a style.' };
  const reading = READERS['outputStyle']?.(controlled, outputStyle);
  if (reading === undefined || 'error' in reading) return { error: `update_settings: ${reading?.error ?? ''}.` };
  const problem = await writeLocalSetting(setup, 'outputStyle', outputStyle);
  if (problem !== null) return { error: `update_settings: ${problem}` };
  session.setStyle(outputStyle);
  return { response: {} };
};

export const overrideServerMode: Answer = ({ session, given }, { serverName, mode }): ControlOutcome => {
  const name = String(serverName);
  if (mode !== 'default' && mode !== null)
    return {
      error: `set_mcp_permission_mode_override: there is no mode ${JSON.stringify(mode)} here. Known: default, null.`,
    };
  given.askAbout(name, mode === 'default');
  const isKnown = session.servers().some((one) => one.name === name);
  return { response: isKnown ? {} : { warning: `There is no MCP server ${name} now: this counts once there is.` } };
};
