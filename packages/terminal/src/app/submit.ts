import type { CommandContext } from '../commands/command.ts';
import { nearCommand, runSlashCommand } from '../commands/commands.ts';
import type { Acts } from '../converse/world.ts';
import { EMPTY_LINE, linesOf, plainLine } from '../themes/line.ts';

const MOST_OUTPUT = 20_000;

/** What a person said: a command, a shell line, something to remember, or words for the model. False: it stays in the editor. */
export function submitted(context: CommandContext, text: string): boolean {
  const { world, tell, say, print } = context;
  if (world.first !== '') {
    world.hint = world.first;
    return false;
  }
  if (text.trim() === '') return submitNothing(context);
  if (text.startsWith('/')) {
    const outcome = runSlashCommand(context, text);
    if (outcome === 'done') return true;
    // A path such as /usr/bin is words for the model.
    if (outcome === 'unknown' && !/^\/\w*\//.test(text)) {
      const near = nearCommand(text);
      world.hint = `There is no command ${text.split(/\s/)[0] ?? ''}${near === null ? '' : `: /${near}?`} (/help lists them)`;
      return false;
    }
  }
  if (text.startsWith('!')) {
    if (world.running !== null) {
      world.hint = 'A command of yours is still running: Ctrl-C ends it.';
      return false;
    }
    const command = text.slice(1).trim();
    if (command === '') world.hint = 'Give a command: ! git status';
    else void runShell(context, command);
    return command !== '';
  }
  if (text.startsWith('#') && !text.startsWith('##')) {
    const fact = text.slice(1).trim();
    if (fact === '') {
      world.hint = 'Give what should be remembered: # tests run with make check';
      return false;
    }
    print([EMPTY_LINE, plainLine(`› ${text}`, 'dim')]);
    tell(`To be remembered: ${fact}`);
    say(`/remember ${fact}`);
    return true;
  }
  world.isUnfinished = false;
  say(withRan(world, text));
  return true;
}

/** Enter alone: says what is queued, or goes on with what was cut off. */
function submitNothing({ world, loaded }: CommandContext): boolean {
  const { conversing } = loaded;
  if (conversing.queue().length > 0) {
    if (conversing.workingSince() !== null) conversing.steerNow();
    else {
      const first = conversing.takeBack();
      if (first !== null) conversing.say(first);
    }
    return true;
  }
  if (world.isUnfinished && conversing.workingSince() === null) {
    world.isUnfinished = false;
    void conversing.goOn();
  }
  return true;
}

/** The model is told what a person ran since they last said something. */
function withRan(world: Acts['world'], text: string): string {
  const ran = world.ran;
  world.ran = [];
  return ran.length === 0 ? text : `${ran.join('\n\n')}\n\n${text}`;
}

async function runShell({ world, loaded, print, screen }: CommandContext, command: string): Promise<void> {
  const stopper = new AbortController();
  print([
    EMPTY_LINE,
    [
      { text: '! ', role: 'warn' },
      { text: command, bold: true },
    ],
  ]);
  const running = { command, stop: () => stopper.abort(), output: '' };
  world.running = running;
  const tell = (text: string): void => {
    running.output = (running.output + text).slice(-MOST_OUTPUT);
    screen.touch();
  };
  const { output, exitCode } = await loaded.port.shell(command, tell, stopper.signal);
  world.running = null;
  const shown = output.replace(/\n+$/, '');
  print([...(shown === '' ? [] : linesOf(shown)), ...(exitCode === 0 ? [] : [plainLine(`exit ${exitCode}`, 'bad')])]);
  const told = shown.length > MOST_OUTPUT ? `${shown.slice(0, MOST_OUTPUT)}\n[cut]` : shown;
  world.ran = [...world.ran, `I ran \`${command}\` (exit ${exitCode}):\n${told}`];
}
