import { type Command, InvalidArgumentError } from 'commander';
import { EXIT, catchStop, stopped, putStyled } from '@attractor/console';
import { homeFolder } from '../settings.ts';

type DemoFlags = { readonly once?: boolean; readonly yes?: boolean; readonly pace?: number; readonly port: number };

export function define(command: Command, finish: (exitCode: number) => void): void {
  command
    .description(
      'Runs the main job end to end on a sample repository and a scripted model: plan, approval, worktree, edit, tests, commit, review.',
    )
    .option('--once', 'end after the run instead of serving the web app')
    .option('-y, --yes', 'approve the plan without asking')
    .option(
      '--pace <ms>',
      'milliseconds between the words of the scripted model (default: 30 on a terminal, else 0)',
      milliseconds,
    )
    .option('--port <n>', 'port of the web app; 0 takes any free one', milliseconds, 0)
    .addHelpText('after', EXAMPLES)
    .action(async (flags: DemoFlags) => finish(await demo(flags)));
}

const EXAMPLES = `
No account and no key are needed. The tools, the tests, the worktree and the commit are real; only the model's words are
prepared. A demo that was killed continues where it was when you start the next one.

Examples:
  attractor demo                  asks you to approve the plan, then serves the web app until Ctrl-C
  attractor demo --once --yes     no questions, ends after the run`;

async function demo(flags: DemoFlags): Promise<number> {
  const [{ runDemo }, { succeeded }] = await Promise.all([
    import('../demo/run-demo.ts'),
    import('../follow/summary.ts'),
  ]);
  const stop = catchStop();
  const attended = process.stdin.isTTY && process.stdout.isTTY;
  const pace = flags.pace ?? (attended ? 30 : 0);
  const running = await runDemo({
    home: homeFolder(process.env),
    env: process.env,
    approvePlan: flags.yes === true || !attended,
    pace,
    port: flags.port,
    signal: stop.signal,
  });
  try {
    const good = succeeded(running.outcome);
    if (!stop.signal.aborted && (flags.once === true || !good)) return good ? EXIT.done : EXIT.failed;
    if (!stop.signal.aborted) putStyled(process.stdout, '\nServing until Ctrl-C.\n');
    await stopped(stop);
    return stop.exitCode();
  } finally {
    await running.close();
  }
}

function milliseconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0)
    throw new InvalidArgumentError(`expected a whole number of 0 or more, not '${text}'`);
  return value;
}
