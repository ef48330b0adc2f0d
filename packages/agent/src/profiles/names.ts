import type { ProfileId, RegisteredTool } from '../types/index.ts';

/** By the house's name of a tool: what else it is called, by whose models. */
const OTHER_NAMES: Readonly<Record<string, Readonly<Partial<Record<ProfileId, string>>>>> = {
  read_file: { anthropic: 'Read' },
  write_file: { anthropic: 'Write' },
  edit_file: { anthropic: 'Edit', gemini: 'replace' },
  multi_edit: { anthropic: 'MultiEdit' },
  shell: { anthropic: 'Bash', gemini: 'run_shell_command' },
  bash_output: { anthropic: 'BashOutput' },
  kill_shell: { anthropic: 'KillShell' },
  grep: { anthropic: 'Grep', gemini: 'search_file_content' },
  glob: { anthropic: 'Glob' },
  list_dir: { anthropic: 'LS', gemini: 'list_directory' },
  web_fetch: { anthropic: 'WebFetch' },
  web_search: { anthropic: 'WebSearch', gemini: 'google_web_search' },
  todo_write: { anthropic: 'TodoWrite', openai: 'update_plan', gemini: 'write_todos' },
  todo_read: { anthropic: 'TodoRead' },
  notebook_read: { anthropic: 'NotebookRead' },
  notebook_edit: { anthropic: 'NotebookEdit' },
  task: { anthropic: 'Task' },
  exit_plan_mode: { anthropic: 'ExitPlanMode' },
  slash_command: { anthropic: 'SlashCommand' },
  skill: { anthropic: 'Skill' },
};

/** Later spellings of the same tools, which people and agent files use too. */
const ALSO: Readonly<Record<string, string>> = { Agent: 'task' };

const HOUSE_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHER_NAMES).flatMap(([house, others]) =>
    Object.values(others).map((name) => [name, house] as const),
  ),
  ...Object.entries(ALSO),
]);

/** The name that a tool has among ourselves, whatever a profile calls it. Unknown names stay as they are. */
export function houseNameOf(name: string): string {
  return HOUSE_NAMES.get(name) ?? name;
}

/** What models of a family call a tool; the house's name where they have none of their own. */
export function familyNameOf(house: string, family: ProfileId): string {
  return OTHER_NAMES[house]?.[family] ?? house;
}

/** The tool under the name that models of a family know it by. */
export function namedFor(tool: RegisteredTool, family: ProfileId): RegisteredTool {
  return { ...tool, definition: { ...tool.definition, name: familyNameOf(tool.definition.name, family) } };
}
