import type { EffectiveFile } from '@attractor/headless';
import {
  describeOrigin,
  describeProblem,
  type EffectiveSetting,
  type LoadedSettings,
  type SettingEntry,
  untrustedNotice,
} from '@attractor/settings';
import { readableText, type Style } from '@attractor/console';
import { shownValue } from './shown-value.ts';

export type Showing = {
  readonly style: Style;
  readonly all: boolean;
  readonly effective: ReadonlyArray<EffectiveFile>;
};

export function personLines(loaded: LoadedSettings, showing: Showing): ReadonlyArray<string> {
  const { style } = showing;
  const notice = untrustedNotice(loaded.trust);
  return [
    ...loaded.settings.flatMap((setting) => settingLines(setting, showing)),
    ...section(
      style.bold('files'),
      showing.effective.map(({ kind, name, origin }) => shown(`${kind} ${name}`, describeOrigin(origin), style)),
    ),
    ...(notice === null ? [] : ['', readableText(notice)]),
    ...section(
      style.bold('not followed'),
      loaded.ignored.map(({ entry, reason }) => `${line(entry, style)} ${style.dim(`(${reason})`)}`),
    ),
    ...section(
      style.bold('has no place here'),
      loaded.unmapped.map(({ name, origin, reason }) => shown(`${name}: ${reason}`, describeOrigin(origin), style)),
    ),
    ...section(
      style.bad("can't be understood"),
      loaded.problems.map((problem) => {
        const whose = problem.onlyFor === undefined ? 'no agent starts' : 'no model of Gemini starts';
        const stops = problem.failsClosed ? ` (${whose} until this is fixed)` : '';
        return `  ${readableText(describeProblem(problem))}${stops}`;
      }),
    ),
  ];
}

function settingLines({ row, entries, overridden }: EffectiveSetting, { style, all }: Showing): ReadonlyArray<string> {
  if (entries.length === 0) return all ? [`${row.name} ${style.dim('not set')}`] : [];
  return [
    ...entries.map((entry) => line(entry, style).slice(2)),
    ...overridden
      .filter(({ origin }) => origin.scope !== 'default')
      .map((entry) => style.dim(`${line(entry, style)} (overridden)`)),
  ];
}

function line(entry: SettingEntry, style: Style): string {
  const name = entry.key === null ? entry.name : `${entry.name}.${entry.key}`;
  return shown(`${name} = ${JSON.stringify(shownValue(entry))}`, describeOrigin(entry.origin), style);
}

function shown(text: string, origin: string, style: Style): string {
  return `  ${readableText(text)}  ${style.dim(`← ${readableText(origin)}`)}`;
}

function section(title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> {
  return lines.length === 0 ? [] : ['', title, ...lines];
}
