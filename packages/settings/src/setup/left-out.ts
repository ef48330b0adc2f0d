import { KNOWN_NAMES, type PermissionRule } from '@attractor/policy';
import { rowOf } from '@attractor/tool-table';
import type { LoadedSettings } from '../settings/load-settings.ts';
import { nearName } from '../settings/near-name.ts';
import { describeOrigin, describeProblem, type Sourced } from '../settings/origin.ts';

export type Written = {
  readonly loaded: LoadedSettings;
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly folders: ReadonlyArray<Sourced<string>>;
  readonly isThere: (folder: string) => boolean;
};

/** What is written down and has no effect, for the person: one line each. */
export function leftOut({ loaded, rules, folders, isThere }: Written): ReadonlyArray<string> {
  return [
    ...unknownOfLine(loaded),
    ...uselessValues(loaded),
    ...misspelledRules(rules),
    ...missingFolders(folders, isThere),
  ];
}

/** What was given for this run alone is told of with the run: `config show` never sees it. The sandbox has a line of its own. */
function unknownOfLine({ unmapped }: LoadedSettings): ReadonlyArray<string> {
  return unmapped
    .filter(({ name, origin }) => origin.scope === 'flag' && name !== 'sandbox.enabled')
    .map(({ name, origin, reason }) => `${origin.name ?? describeOrigin(origin)}: ${name} has no effect: ${reason}.`);
}

/** Settings whose value is of no use and that limit nothing. Those of a repository that is not trusted don't count anyway. */
function uselessValues({ problems, trust }: LoadedSettings): ReadonlyArray<string> {
  const isAside = (scope: string): boolean => trust.state !== 'trusted' && (scope === 'project' || scope === 'local');
  return problems
    .filter(({ failsClosed, onlyFor, origin }) => !failsClosed && onlyFor === undefined && !isAside(origin.scope))
    .map((problem) => `${describeProblem(problem)}. It does not count.`);
}

/** Further folders that are named and not there. */
function missingFolders(
  folders: ReadonlyArray<Sourced<string>>,
  isThere: (folder: string) => boolean,
): ReadonlyArray<string> {
  return folders
    .filter(({ value }) => !isThere(value))
    .map(({ value, origin }) => `${describeOrigin(origin)}: additionalDirectories: there is no folder ${value} here.`);
}

/** A rule about a tool that nobody knows, and that nearly has the name of one: it was probably meant for that. */
function misspelledRules(rules: ReadonlyArray<PermissionRule>): ReadonlyArray<string> {
  return rules.flatMap(({ tool, text, origin: { scope, file, line } }) => {
    const meant = misspelledTool(tool);
    const place = file === null ? scope : `${file}${line === null ? '' : `:${line}`}`;
    return meant === null ? [] : [`${place}: The rule "${text}" has no effect: ${meant}`];
  });
}

/** What is wrong with the name of a tool in a rule, or null. */
export function misspelledTool(name: string): string | null {
  if (name.startsWith('mcp__') || KNOWN_NAMES.includes(name) || rowOf(name) !== undefined) return null;
  const near = nearName(name, KNOWN_NAMES);
  return near === null ? null : `there is no tool ${name}; did you mean ${near}?`;
}
