import type { Command } from 'commander';
import type { GROUPS } from './command-groups.ts';
import type { WholeProgram } from './program.ts';

/** A command's own file: it declares its flags and does the work. `finish` takes the exit code. */
export type CommandModule = {
  readonly define: (command: Command, finish: (exitCode: number) => void, whole: WholeProgram) => void;
};

export type CommandEntry = {
  readonly name: string;
  /** Another name of the same command, such as the singular of a noun. */
  readonly alias?: string;
  readonly summary: string;
  /** Where the help lists it. */
  readonly group: keyof typeof GROUPS;
  /** Not shown in the help: only other programs call it. */
  readonly hidden?: true;
  readonly load: () => Promise<CommandModule>;
};

/** Every command by name. Only the file of the called command is loaded. */
export const COMMANDS: ReadonlyArray<CommandEntry> = [
  {
    name: 'demo',
    group: 'begin',
    summary: 'run a sample task end to end on a scripted model',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'run',
    group: 'begin',
    summary: 'plan, approve, execute and check a task in this repository',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'serve',
    group: 'begin',
    summary: 'start the server and its web app',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'sign-in',
    alias: 'login',
    group: 'begin',
    summary: 'print an address that signs a browser in to the running server, once',
    load: () => import('./nouns/sign-in.ts'),
  },
  {
    name: 'users',
    alias: 'user',
    group: 'place',
    summary: 'list, add, change and remove who may use the server',
    load: () => import('./nouns/users.ts'),
  },
  {
    name: 'keys',
    alias: 'key',
    group: 'place',
    summary: 'list, make and revoke API keys',
    load: () => import('./nouns/keys.ts'),
  },
  { name: 'audit', group: 'people', summary: 'show who did what', load: () => import('./nouns/audit.ts') },
  {
    name: 'worker',
    group: 'place',
    summary: 'work on queued runs, on this machine or another',
    load: () => import('./commands/worker.ts'),
  },
  { name: 'llm', group: 'parts', summary: 'talk to a model directly', load: () => import('./commands/llm.ts') },
  {
    name: 'simulate',
    group: 'parts',
    summary: 'start a scripted model that speaks the real protocols',
    load: () => import('./commands/simulate.ts'),
  },
  {
    name: 'tool',
    group: 'parts',
    summary: 'run one tool of the agent on a folder',
    load: () => import('./commands/tool.ts'),
  },
  {
    name: 'debug',
    group: 'parts',
    summary: 'try the rules of the agent on given input',
    load: () => import('./commands/debug.ts'),
  },
  { name: 'acp', group: 'agent', summary: 'serve the agent to an editor', load: () => import('./commands/acp.ts') },
  {
    name: 'resume',
    group: 'agent',
    summary: 'continue a session of the agent',
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'sessions',
    group: 'agent',
    summary: 'list, show, search, fork, rewind, export and delete conversations with the agent',
    load: () => import('./commands/sessions.ts'),
  },
  {
    name: 'doctor',
    group: 'begin',
    summary: 'show what is installed, what is missing and how to fix it',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'config',
    group: 'agent',
    summary: 'show every setting and where it comes from',
    load: () => import('./commands/config.ts'),
  },
  { name: 'models', group: 'agent', summary: 'list known models', load: () => import('./nouns/models.ts') },
  {
    name: 'trust',
    group: 'agent',
    summary: "show, grant and revoke trust in a repository's configuration",
    load: () => import('./commands/trust.ts'),
  },
  {
    name: 'exec',
    group: 'agent',
    summary: 'run an agent that a markdown file describes, on any provider',
    load: () => import('./commands/exec.ts'),
  },
  { name: 'codex', group: 'agent', summary: 'run a line of `codex exec`', load: () => import('./commands/codex.ts') },
  { name: 'gemini', group: 'agent', summary: 'run a line of `gemini`', load: () => import('./commands/gemini.ts') },
  {
    name: 'api',
    group: 'parts',
    summary: 'list the calls of the HTTP API; with --json as an OpenAPI 3.1 document',
    load: () => import('./nouns/api.ts'),
  },
  {
    name: 'mcp',
    group: 'parts',
    summary: 'serve, list and call tools over the Model Context Protocol',
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'projects',
    alias: 'project',
    group: 'work',
    summary: 'list, show, add, change and remove projects',
    load: () => import('./nouns/projects.ts'),
  },
  {
    name: 'tasks',
    alias: 'task',
    group: 'work',
    summary: 'list, show, make, change, move and start tasks',
    load: () => import('./nouns/tasks.ts'),
  },
  {
    name: 'notes',
    alias: 'note',
    group: 'work',
    summary: 'list and add notes',
    load: () => import('./nouns/notes.ts'),
  },
  {
    name: 'deps',
    alias: 'dep',
    group: 'work',
    summary: 'show and change which tasks wait for others',
    load: () => import('./nouns/dependencies.ts'),
  },
  {
    name: 'attachments',
    alias: 'attachment',
    group: 'work',
    summary: 'list, add, fetch and remove files of a task',
    load: () => import('./nouns/attachments.ts'),
  },
  {
    name: 'templates',
    alias: 'template',
    group: 'work',
    summary: 'list, show, make, change and remove templates of tasks',
    load: () => import('./nouns/templates.ts'),
  },
  {
    name: 'artifacts',
    alias: 'artifact',
    group: 'work',
    summary: 'list, show, add, change and remove what tasks produced',
    load: () => import('./nouns/artifacts.ts'),
  },
  {
    name: 'phases',
    alias: 'phase',
    group: 'work',
    summary: 'list the parts of a task',
    load: () => import('./nouns/phases.ts'),
  },
  {
    name: 'activity',
    group: 'people',
    summary: 'show what happened in a project',
    load: () => import('./nouns/activity.ts'),
  },
  {
    name: 'import',
    group: 'work',
    summary: 'import issues from a forge, and show which settings of other agents have an effect here',
    load: () => import('./nouns/import.ts'),
  },
  {
    name: 'completion',
    group: 'begin',
    summary: 'print completions for bash, zsh or fish',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'agents',
    alias: 'agent',
    group: 'place',
    summary: 'show which agents can work here; start and stop them',
    load: () => import('./nouns/agents.ts'),
  },
  {
    name: 'runs',
    group: 'work',
    summary: 'list, show, start, stop and watch runs',
    load: () => import('./nouns/runs.ts'),
  },
  {
    name: 'inbox',
    group: 'people',
    summary: 'show what waits for you, and how to answer each',
    load: () => import('./nouns/inbox.ts'),
  },
  {
    name: 'prompts',
    alias: 'prompt',
    group: 'people',
    summary: 'list and answer what waits for a person',
    load: () => import('./nouns/prompts.ts'),
  },
  {
    name: 'pipelines',
    alias: 'pipeline',
    group: 'work',
    summary: 'list, show, draw, export, import and choose pipelines',
    load: () => import('./nouns/pipelines.ts'),
  },
  {
    name: 'events',
    alias: 'event',
    group: 'people',
    summary: 'show and follow the log',
    load: () => import('./nouns/events.ts'),
  },
  {
    name: 'checks',
    alias: 'check',
    group: 'work',
    summary: 'show the results of checks',
    load: () => import('./nouns/checks.ts'),
  },
  {
    name: 'queue',
    group: 'place',
    summary: 'show, pause, resume and drain the queue',
    load: () => import('./nouns/queue.ts'),
  },
  {
    name: 'schedules',
    alias: 'schedule',
    group: 'place',
    summary: 'list, make and remove schedules',
    load: () => import('./nouns/schedules.ts'),
  },
  {
    name: 'channels',
    alias: 'channel',
    group: 'people',
    summary: 'list, add, test and remove channels for notifications',
    load: () => import('./nouns/channels.ts'),
  },
  {
    name: 'status',
    group: 'people',
    summary: 'show what runs, what waits for you, and whether everything is healthy',
    load: () => import('./nouns/status.ts'),
  },
  {
    name: 'costs',
    alias: 'cost',
    group: 'spend',
    summary: 'show what was spent',
    load: () => import('./nouns/costs.ts'),
  },
  {
    name: 'stats',
    group: 'spend',
    summary: 'show how runs went and how agents compare',
    load: () => import('./nouns/stats.ts'),
  },
  {
    name: 'budgets',
    alias: 'budget',
    group: 'spend',
    summary: 'list, set and remove budgets',
    load: () => import('./nouns/budgets.ts'),
  },
  {
    name: 'attempts',
    alias: 'attempt',
    group: 'work',
    summary: 'let several agents try the same task',
    load: () => import('./nouns/attempts.ts'),
  },
  {
    name: 'supervise',
    group: 'place',
    summary: 'look once for what died, hangs or can be cleaned up',
    load: () => import('./nouns/supervise.ts'),
  },
  {
    name: 'limits',
    alias: 'limit',
    group: 'spend',
    summary: 'show and lift limits of providers',
    load: () => import('./nouns/limits.ts'),
  },
  { name: 'disk', group: 'place', summary: 'show what takes up disk space', load: () => import('./nouns/disk.ts') },
  {
    name: 'db',
    group: 'place',
    summary: 'move, back up, restore and archive the database',
    load: () => import('./commands/db.ts'),
  },
  {
    name: 'file-tools',
    group: 'parts',
    summary: 'run one file tool in a workspace',
    hidden: true,
    load: () => import('./commands/file-tools.ts'),
  },
  {
    name: 'policy',
    group: 'parts',
    summary: 'judge shell commands without running them',
    load: () => import('./commands/policy.ts'),
  },
];
