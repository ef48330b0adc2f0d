import type { Command } from 'commander';

/** A command's own file: it declares its flags and does the work. `finish` takes the exit code. */
export type CommandModule = { readonly define: (command: Command, finish: (exitCode: number) => void) => void };

export type CommandEntry = {
  readonly name: string;
  /** The same command under another name, such as the singular of a noun. */
  readonly alias?: string;
  readonly summary: string;
  /** Not shown in the help: another program's way in. */
  readonly hidden?: true;
  readonly load: () => Promise<CommandModule>;
};

/** Every command by name. Only the file of the command that is called is loaded. */
export const COMMANDS: ReadonlyArray<CommandEntry> = [
  {
    name: 'demo',
    summary: 'run a sample task end to end on a scripted model',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'run',
    summary: 'plan, approve, execute and check a task in this repository',
    load: () => import('./commands/run.ts'),
  },
  { name: 'serve', summary: 'start the server and its web app', load: () => import('./commands/serve.ts') },
  {
    name: 'worker',
    summary: 'work on what is queued, on this machine or another',
    load: () => import('./commands/worker.ts'),
  },
  { name: 'llm', summary: 'talk to a model directly', load: () => import('./commands/llm.ts') },
  {
    name: 'simulate',
    summary: 'start a scripted model that speaks the real protocols',
    load: () => import('./commands/simulate.ts'),
  },
  {
    name: 'tool',
    summary: 'run one tool of the agent on a folder',
    load: () => import('./commands/tool.ts'),
  },
  {
    name: 'debug',
    summary: 'try the rules of the agent on given input',
    load: () => import('./commands/debug.ts'),
  },
  {
    name: 'sessions',
    summary: 'list, show, search, fork, rewind, export and delete conversations with the agent',
    load: () => import('./commands/sessions.ts'),
  },
  {
    name: 'doctor',
    summary: 'show what is installed, what is missing and how to mend it',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'config',
    summary: 'show every setting and where it comes from',
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'trust',
    summary: "show, give and take back trust in a repository's configuration",
    load: () => import('./commands/trust.ts'),
  },
  {
    name: 'exec',
    summary: 'run an agent that a markdown file describes, on any provider',
    load: () => import('./commands/exec.ts'),
  },
  {
    name: 'mcp',
    summary: 'serve, list and call tools over the Model Context Protocol',
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'projects',
    alias: 'project',
    summary: 'list, show, add, change and remove projects',
    load: () => import('./commands/projects.ts'),
  },
  {
    name: 'tasks',
    alias: 'task',
    summary: 'list, show, make, change, move and start tasks',
    load: () => import('./commands/tasks.ts'),
  },
  {
    name: 'notes',
    alias: 'note',
    summary: 'list and add notes',
    load: () => import('./commands/notes.ts'),
  },
  {
    name: 'deps',
    alias: 'dep',
    summary: 'show and change which task waits for which',
    load: () => import('./commands/deps.ts'),
  },
  {
    name: 'attachments',
    alias: 'attachment',
    summary: 'list, add, fetch and remove files of a task',
    load: () => import('./commands/attachments.ts'),
  },
  {
    name: 'templates',
    alias: 'template',
    summary: 'list, show, make, change and remove templates of tasks',
    load: () => import('./commands/templates.ts'),
  },
  {
    name: 'artifacts',
    alias: 'artifact',
    summary: 'list, show, add, change and remove what tasks left behind',
    load: () => import('./commands/artifacts.ts'),
  },
  {
    name: 'phases',
    alias: 'phase',
    summary: 'list the parts of a task',
    load: () => import('./commands/phases.ts'),
  },
  {
    name: 'activity',
    summary: 'show what happened in a project',
    load: () => import('./commands/activity.ts'),
  },
  {
    name: 'import',
    summary: 'make tasks of the issues of a forge',
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'completion',
    summary: 'print completions for bash, zsh or fish',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'agents',
    alias: 'agent',
    summary: 'show which agents can work here; start and stop them',
    load: () => import('./commands/agents.ts'),
  },
  {
    name: 'runs',
    summary: 'list, show, start, stop and watch runs',
    load: () => import('./commands/runs.ts'),
  },
  {
    name: 'prompts',
    alias: 'prompt',
    summary: 'list and answer what waits for a person',
    load: () => import('./commands/prompts.ts'),
  },
  {
    name: 'pipelines',
    alias: 'pipeline',
    summary: 'list, show, draw, export, import and choose pipelines',
    load: () => import('./commands/pipelines.ts'),
  },
  {
    name: 'events',
    alias: 'event',
    summary: 'show and follow the log',
    load: () => import('./commands/events.ts'),
  },
  {
    name: 'checks',
    alias: 'check',
    summary: 'show the results of checks',
    load: () => import('./commands/checks.ts'),
  },
  {
    name: 'queue',
    summary: 'show, pause, resume and drain the queue',
    load: () => import('./commands/queue.ts'),
  },
  {
    name: 'schedules',
    alias: 'schedule',
    summary: 'list, make and remove what is done by the clock',
    load: () => import('./commands/schedules.ts'),
  },
  {
    name: 'channels',
    alias: 'channel',
    summary: 'list, add, test and remove the ways that people are told',
    load: () => import('./commands/channels.ts'),
  },
  {
    name: 'status',
    summary: 'show what runs, what waits for you, and whether all is well',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'costs',
    alias: 'cost',
    summary: 'show what was spent',
    load: () => import('./commands/costs.ts'),
  },
  {
    name: 'stats',
    summary: 'show how runs went and how agents compare',
    load: () => import('./commands/stats.ts'),
  },
  {
    name: 'budgets',
    alias: 'budget',
    summary: 'list, set and remove budgets',
    load: () => import('./commands/budgets.ts'),
  },
  {
    name: 'attempts',
    alias: 'attempt',
    summary: 'let several agents try the same task',
    load: () => import('./commands/attempts.ts'),
  },
  {
    name: 'supervise',
    summary: 'look once for what died, hangs or can be tidied up',
    load: () => import('./commands/supervise.ts'),
  },
  {
    name: 'limits',
    alias: 'limit',
    summary: 'show and lift limits of providers',
    load: () => import('./commands/limits.ts'),
  },
  {
    name: 'disk',
    summary: 'show what takes room on this machine',
    load: () => import('./commands/disk.ts'),
  },
  {
    name: 'db',
    summary: 'move, back up and restore the database',
    load: () => import('./commands/db.ts'),
  },
  {
    name: 'file-tools',
    summary: 'run one file tool in a workspace',
    hidden: true,
    load: () => import('./commands/file-tools.ts'),
  },
  {
    name: 'policy',
    summary: 'judge shell commands without running them',
    load: () => import('./commands/policy.ts'),
  },
];
