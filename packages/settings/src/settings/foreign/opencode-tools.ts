/** By opencode's names of its tools: the rule for the tool here. */
export const OPENCODE_RULES: Readonly<Record<string, string>> = {
  read: 'Read',
  edit: 'Edit',
  write: 'Edit',
  patch: 'Edit',
  multiedit: 'Edit',
  glob: 'Glob',
  grep: 'Grep',
  list: 'LS',
  bash: 'Bash',
  task: 'Task',
  skill: 'Skill',
  webfetch: 'WebFetch',
  websearch: 'WebSearch',
  todowrite: 'TodoWrite',
  todoread: 'TodoRead',
};
