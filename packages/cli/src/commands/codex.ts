import type { Command } from 'commander';
import { CODEX_FLAGS, codexLine } from '@attractor/headless';
import { defineForeign } from '../headless/define-foreign.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineForeign(command, {
    description: 'Runs a line that was written for `codex exec`, with its output.',
    flags: CODEX_FLAGS,
    line: codexLine,
    finish,
    examples: EXAMPLES,
  });
}

const EXAMPLES = `
Put \`attractor codex\` where a script says \`codex\`, or link the command under that name.

Examples:
  attractor codex exec --sandbox workspace-write "make the tests pass"
  attractor codex exec --json "what is this?"
  attractor codex exec resume --last "and now the tests"`;
