/** What the words between the parentheses of a rule mean. */
export type ContentKind = 'command' | 'read' | 'edit' | 'domain' | 'agent' | 'skill' | 'folder' | 'parameter';

/** The names of rules that have a meaning of their own. Any other name stands for the tool of that name alone. */
export const RULES = {
  Bash: 'command',
  Read: 'read',
  NotebookRead: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Grep: 'parameter',
  WebFetch: 'domain',
  Agent: 'agent',
  Task: 'agent',
  Skill: 'skill',
  SlashCommand: 'skill',
  Cd: 'folder',
} as const satisfies Readonly<Record<string, ContentKind>>;

export type RuleName = keyof typeof RULES;

export function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(RULES, name);
}
