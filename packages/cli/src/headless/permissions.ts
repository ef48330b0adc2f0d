import { type Decision, parseRule, type PermissionMode, type PermissionRule } from '@attractor/policy';
import type { SessionSetup } from '@attractor/settings';
import { CommandFailure, EXIT } from '@attractor/console';

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;

export type PermissionFlags = {
  readonly permissionMode?: PermissionMode;
  readonly allowedTools: ReadonlyArray<string>;
  readonly disallowedTools: ReadonlyArray<string>;
};

export type Permissions = { readonly mode: PermissionMode; readonly rules: ReadonlyArray<PermissionRule> };

/**
 * What the flags allow besides the setup, and the resulting mode. A rule or a limit that can't be parsed ends the command: continuing
 * without it could allow what it forbids.
 */
export function permissionsHere(flags: PermissionFlags, cwd: string, setup: SessionSetup): Permissions {
  const rules = rulesOfFlags(flags, cwd);
  refuseProblems(setup);
  const mode = flags.permissionMode ?? setup.mode;
  if (mode === 'bypassPermissions' && setup.isBypassDisabled)
    throw new CommandFailure(
      'Your settings disable bypassPermissions: choose another --permission-mode.',
      EXIT.refused,
    );
  return { mode, rules };
}

/** Ends a command whose setup can't be parsed. */
export function refuseProblems({ problems: [refusal] }: Pick<SessionSetup, 'problems'>): void {
  if (refusal !== undefined) throw new CommandFailure(refusal.message, EXIT.refused);
}

function rulesOfFlags({ allowedTools, disallowedTools }: PermissionFlags, root: string): ReadonlyArray<PermissionRule> {
  return [
    ...readFlag('--allowed-tools', allowedTools, { behavior: 'allow', root }),
    ...readFlag('--disallowed-tools', disallowedTools, { behavior: 'deny', root }),
  ];
}

type Meant = { readonly behavior: Decision; readonly root: string };

function readFlag(
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

/** `Bash(git log *),Edit Read`: commas and blanks separate rules, except inside parentheses. */
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
