import { type Decision, parseRule, type PermissionMode, type PermissionRule } from '@attractor/agent';
import { CommandFailure, EXIT } from '../exit.ts';

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;

/** The rules of `--allowed-tools` and `--disallowed-tools`. A rule that is not understood ends the command: it could be one that denies. */
export function rulesOfFlags(
  flags: { readonly allowedTools: ReadonlyArray<string>; readonly disallowedTools: ReadonlyArray<string> },
  root: string,
): ReadonlyArray<PermissionRule> {
  return [
    ...readRules('--allowed-tools', flags.allowedTools, { behavior: 'allow', root }),
    ...readRules('--disallowed-tools', flags.disallowedTools, { behavior: 'deny', root }),
  ];
}

type Meant = { readonly behavior: Decision; readonly root: string };

function readRules(
  flag: string,
  values: ReadonlyArray<string>,
  { behavior, root }: Meant,
): ReadonlyArray<PermissionRule> {
  return values.flatMap(splitRules).map((text) => {
    const parsed = parseRule(text, behavior, { scope: 'flag', file: flag, line: null, root });
    if (!parsed.ok) throw new CommandFailure(`${flag}: ${parsed.error.message}`, EXIT.usage);
    return parsed.rule;
  });
}

/** `Bash(git log *),Edit Read`: commas and blanks part rules, unless they stand between parentheses. */
function splitRules(value: string): ReadonlyArray<string> {
  const rules: string[] = [];
  let depth = 0;
  let rule = '';
  for (const character of `${value},`) {
    if (depth === 0 && /[\s,]/.test(character)) {
      if (rule !== '') rules.push(rule);
      rule = '';
      continue;
    }
    depth += character === '(' ? 1 : character === ')' && depth > 0 ? -1 : 0;
    rule += character;
  }
  return rule === '' ? rules : [...rules, rule.slice(0, -1)];
}

export function isPermissionMode(text: string): text is PermissionMode {
  return PERMISSION_MODES.some((mode) => mode === text);
}
