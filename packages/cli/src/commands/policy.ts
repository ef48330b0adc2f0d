import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { ShellReading } from '@attractor/shell';
import type { Command } from 'commander';
import { CommandFailure, EXIT, readStdin, putText } from '@attractor/console';
import { parseBatchLine } from '../policy/batch-line.ts';
import { explain } from '../policy/explain.ts';
import { explainRules } from '../policy/explain-rules.ts';
import { asJudgedHere } from '../policy/judged-here.ts';
import { judgeLine, type Answer, type ShellPolicy } from '../policy/judge-line.ts';
import { quiet } from '../program.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  command.description('Judges shell commands without running them.').addHelpText('after', EXAMPLES);
  part(command, 'check')
    .description('Judges one command on each line of stdin; a line of JSON answers each, in order.')
    .option('--batch', 'lines {"command","mode"?,"allow"?,"ask"?,"deny"?,"default"?,"cwd"?}')
    .action(async (flags: { readonly batch?: boolean }) =>
      finish(await check(flags.batch === true ? 'batch' : 'none')),
    );
  part(command, 'explain')
    .description('Says what a command would do, part by part, and what would allow it.')
    .argument('<command>', 'the command as one argument')
    .option('--cwd <dir>', 'the workspace; this folder unless given')
    .action(async (text: string, flags: { readonly cwd?: string }) => finish(await explainCommand(text, flags.cwd)));
}

const EXAMPLES = `
Modes of a line: read-only (the default: only what changes nothing), auto (ordinary changes as well),
rules (only what "allow" covers; "default" for the rest).

Examples:
  echo '{"command":"git log --oneline | head"}' | attractor policy check --batch
  echo '{"command":"npm test","mode":"rules","allow":["npm test"]}' | attractor policy check --batch
  attractor policy explain 'cd src && rm -rf build'`;

function part(command: Command, name: string): Command {
  return quiet(command.command(name));
}

async function check(how: 'batch' | 'none'): Promise<number> {
  if (how === 'none')
    throw new CommandFailure('policy check needs --batch; for one command see `attractor policy explain`.', EXIT.usage);
  const lines = (await readStdin()).split('\n').filter((line) => line.trim() !== '');
  const shell = await import('@attractor/shell');
  const answers = lines.map((line) => JSON.stringify(judge(line, shell)));
  putText(process.stdout, answers.map((answer) => `${answer}\n`).join(''));
  return EXIT.done;
}

function judge(text: string, shell: ShellPolicy): Answer {
  const line = parseBatchLine(text);
  if ('wrong' in line) return { decision: 'ask', reason: `error: ${line.wrong}` };
  return judgeLine(line, read(line.command, line.cwd, { shell, asksGit: false }), shell);
}

async function explainCommand(text: string, cwd: string | undefined): Promise<number> {
  const shell = await import('@attractor/shell');
  const place = { folder: resolve(cwd ?? '.'), env: process.env };
  const reading = await asJudgedHere(text, read(text, cwd ?? null, { shell, asksGit: true }), place);
  const line = { command: text, mode: 'read-only', allow: [], ask: [], deny: [], default: 'ask', cwd: null } as const;
  putText(process.stdout, explain(judgeLine(line, reading, shell), reading, shell));
  putText(process.stdout, await explainRules(text, place));
  return EXIT.done;
}

/** The named folder, or this one, is the workspace. */
function read(command: string, cwd: string | null, { shell, asksGit }: Reading): ShellReading {
  const root = resolve(cwd ?? '.');
  const disk = shell.diskOf(process.env['PATH'] ?? '', [root]);
  return shell.readShell(command, { cwd: root, root, home: homedir(), disk, asksGit });
}

type Reading = { readonly shell: ShellPolicy; readonly asksGit: boolean };
