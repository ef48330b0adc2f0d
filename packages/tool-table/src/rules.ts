/** What the text between the parentheses of a rule means. */
export type ContentKind = 'command' | 'read' | 'edit' | 'domain' | 'agent' | 'skill' | 'folder' | 'parameter';

/** The names of rules with their own meaning. Any other name means only the tool of that name. */
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
