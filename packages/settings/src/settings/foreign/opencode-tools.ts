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
  question: 'AskUserQuestion',
};

/** Everything that an agent can do. */
export const EVERY_OPENCODE_RULE: ReadonlyArray<string> = [...new Set(Object.values(OPENCODE_RULES)), 'mcp__*'];

/** Rules for a tool of a server, which opencode calls `server_tool`. Where the name of the server ends is not written: every way counts. */
export function rulesOfServerTool(name: string): ReadonlyArray<string> {
  const cuts = [...name.matchAll(/_/g)].map(({ index }) => `mcp__${name.slice(0, index)}__${name.slice(index + 1)}`);
  return name.includes('*') || cuts.length === 0 ? [...cuts, `mcp__${name}`] : cuts;
}
