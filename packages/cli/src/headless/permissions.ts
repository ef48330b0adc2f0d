import type { Approve } from '@attractor/agent';

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;

export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** The names that people write in their rules, and the tools they stand for here. */
const ALIASES: Readonly<Record<string, ReadonlyArray<string>>> = {
  Bash: ['shell'],
  Edit: ['edit_file', 'write_file', 'apply_patch'],
  MultiEdit: ['edit_file', 'apply_patch'],
  Write: ['write_file'],
  Read: ['read_file'],
  Grep: ['grep'],
  Glob: ['glob'],
  LS: ['list_dir'],
};

const EDITS = new Set(['edit_file', 'write_file', 'apply_patch']);

/** Nobody is there to be asked: what is not allowed beforehand is denied, with a reason that the model can act on. */
export function headlessApproval(input: {
  readonly mode: () => PermissionMode;
  readonly allowedTools: ReadonlyArray<string>;
}): Approve {
  const allowed = new Set(input.allowedTools.flatMap((name) => [name, ...(ALIASES[name] ?? [])]));
  return async ({ toolName }) => {
    const mode = input.mode();
    if (mode === 'bypassPermissions') return { allowed: true };
    if (mode === 'plan')
      return { allowed: false, reason: `Denied: ${toolName} may change something, and this session only plans.` };
    if (allowed.has(toolName) || (mode === 'acceptEdits' && EDITS.has(toolName))) return { allowed: true };
    return {
      allowed: false,
      reason: `Denied: ${toolName} needs a person's approval, and nobody can be asked here. Go on without it, or say what you would need.`,
    };
  };
}

/** Splits `Bash,Edit Read`; a rule with a pattern needs the permission policy and is told apart. */
export function readAllowedTools(values: ReadonlyArray<string>): {
  readonly names: ReadonlyArray<string>;
  readonly patterns: ReadonlyArray<string>;
} {
  const words = values.flatMap((value) => value.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? []);
  return { names: words.filter((word) => !word.includes('(')), patterns: words.filter((word) => word.includes('(')) };
}
