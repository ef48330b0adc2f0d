import type { PlatformWorkflow, Task } from '@attractor/platform';
import { EXIT, type ExitCode, unwrap, type Style } from '@attractor/console';
import type { ModelFlags } from '../model-flags.ts';
import type { SandboxFlag } from '../sandbox-flag.ts';
import { ACTOR, requirePipeline, type Wanted } from './begin-task.ts';

export type Detached = {
  readonly wanted: Extract<Wanted, { kind: 'new' }>;
  readonly projectId: string;
};

/** Makes the task and queues its first agent, for a server or a worker to take up: both, or neither. */
export async function startDetached(workflow: PlatformWorkflow, { wanted, projectId }: Detached): Promise<Task> {
  const { task, pipelineId, straight } = wanted;
  await requirePipeline(workflow, pipelineId);
  return unwrap(await workflow.startCoding({ ...task, projectId, pipelineId, straight }, ACTOR));
}

type Place = {
  readonly key: string;
  readonly url: string | null;
  readonly home: string;
  readonly flags: ModelFlags & SandboxFlag;
};

/** The server that runs works on it; if there is none, one is started that outlives this command. */
export async function whoWorks({
  key,
  url,
  home,
  flags,
}: Place): Promise<{ readonly line: string; readonly exitCode: ExitCode }> {
  if (url !== null) return { line: `The server at ${url} works on it.`, exitCode: EXIT.done };
  const [{ startInBackground }, { runningServer }] = await Promise.all([
    import('@attractor/server'),
    import('../connect.ts'),
  ]);
  const command = [process.execPath, ...process.execArgv, process.argv[1] ?? '', ...serveWords(flags)];
  const started = await startInBackground({ home, command, find: () => runningServer(home) });
  if ('problem' in started)
    return {
      line: `Nothing works on it yet, because no server could be started: ${started.problem}\n\`attractor serve\` works on it, or \`attractor run --resume ${key}\` in a terminal.`,
      exitCode: EXIT.failed,
    };
  return {
    line: `A server works on it in the background: ${started.url}, process ${started.pid}. It ends by itself once nothing is left to do or to
answer; \`kill ${started.pid}\` ends it sooner, and the next one continues. Its log: ${started.log}`,
    exitCode: EXIT.done,
  };
}

/** With the model and the sandbox of this command; it ends by itself once nothing is left to do or to answer. */
function serveWords({ provider, model, baseUrl, maxRetries, allowUnsandboxed }: Place['flags']): ReadonlyArray<string> {
  const given = { provider, model, 'base-url': baseUrl, 'max-retries': maxRetries };
  return [
    'serve',
    '--port=0',
    '--until-idle',
    ...Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
    ...(allowUnsandboxed === true ? ['--allow-unsandboxed'] : []),
  ];
}

/** Who works on it, and where to look. */
export function detachedLines({ key, title }: Task, who: string, style: Style): ReadonlyArray<string> {
  const row = (name: string, command: string) => `  ${style.dim(name.padEnd(8))} ${command}`;
  return [
    `${style.bold(key)} is queued: ${title}`,
    who,
    row('watch', `attractor tasks watch ${key}`),
    row('asked', 'attractor inbox'),
    row('stands', `attractor status --session ${key}`),
    row('here', `attractor run --resume ${key}`),
    row('browser', `attractor sign-in ${key}`),
  ];
}
