import { defined } from '@attractor/base';
import type { Leaving } from '@attractor/system';
import type { RegisteredTool, ToolExecutor } from '../../types/index.ts';
import { answering, failure, optionalText, requiredText } from '../arguments.ts';
import type { PersistentShell } from './persistent-shell.ts';
import type { BackgroundShells } from './shells.ts';

export type BashToolOptions = {
  /** Runs commands in the foreground. */
  readonly shell: RegisteredTool;
  /** Given: commands may run in the background. */
  readonly background?: BackgroundShells | undefined;
  /** Given: commands in the foreground share one shell. */
  readonly persistent?: PersistentShell | undefined;
};

const DESCRIPTION = { type: 'string', description: 'What the command does, in five to ten words, for the person.' };

const IN_BACKGROUND = {
  type: 'boolean',
  description: 'Returns at once with an id while the command goes on; for servers, watchers and long builds.',
};

/** The shell tool with a description for the person and, where the ports exist, commands in the background or a shell that stays open. */
export function createBashTool({ shell, background, persistent }: BashToolOptions): RegisteredTool {
  const { properties, ...rest } = shell.definition.parameters;
  const own = typeof properties === 'object' ? properties : {};
  return {
    ...shell,
    definition: {
      ...shell.definition,
      description: persistent === undefined ? shell.definition.description : STAYS_OPEN,
      parameters: {
        ...rest,
        properties: {
          ...own,
          description: DESCRIPTION,
          ...(background === undefined ? {} : { run_in_background: IN_BACKGROUND }),
        },
      },
    },
    executor: answering(async (args, env, context) => {
      const { description: _said, run_in_background: inBackground, ...call } = args;
      if (inBackground !== true && persistent === undefined)
        return leavable(shell.executor, background)(args, env, context);
      const { workingDir: left, ...rest } = context ?? { toolCallId: '' };
      if (inBackground !== true) return shell.executor(call, persistent?.over(env) ?? env, rest);
      if (background === undefined)
        return failure('Nothing can run in the background here: run the command without it.');
      const description = optionalText(args, 'description');
      const workingDir = optionalText(args, 'working_dir') ?? left;
      const { id, pid } = await background.start(env, {
        command: requiredText(args, 'command'),
        ...defined({ description, workingDir }),
      });
      return atWork(id, pid);
    }),
  };
}

function atWork(id: string, pid: number): string {
  return `The command runs in the background as ${id} (process ${pid}). Its output is read, and it is ended, by that id; it ends with the session at the latest.`;
}

/** A command that is waited for until it ends, or is left to the others in the background. */
function leavable(run: ToolExecutor, background: BackgroundShells | undefined): ToolExecutor {
  return async (args, env, context) => {
    const { description: _said, run_in_background: _not, ...call } = args;
    if (background === undefined || context?.leaving === undefined) return run(call, env, context);
    const stopper = new AbortController();
    const stop = (): void => stopper.abort();
    context.signal?.addEventListener('abort', stop, { once: true });
    const { promise: left, resolve: leave } = Promise.withResolvers<string>();
    const take: Leaving['take'] = (child) => {
      context.signal?.removeEventListener('abort', stop);
      const description = optionalText(args, 'description');
      const order = { command: requiredText(args, 'command'), ...defined({ description }) };
      const { shell, push } = background.adopt(order, { ...child, stop });
      leave(atWork(shell.id, shell.pid));
      return push;
    };
    const ran = run(call, env, { ...context, signal: stopper.signal, left: { signal: context.leaving(), take } });
    if (context.signal?.aborted === true) stop();
    return Promise.race([ran, left]).finally(() => context.signal?.removeEventListener('abort', stop));
  };
}

const STAYS_OPEN =
  'Runs a bash command and shows its output and exit code. All commands share one shell: variables, functions and the working directory survive from one to the next. There is no terminal and no input.';
