import type { Command } from 'commander';
import { GEMINI_EXITS, GEMINI_FLAGS, geminiLine } from '@attractor/headless';
import { defineForeign } from '../headless/define-foreign.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineForeign(command, {
    description: 'Runs a line that was written for `gemini -p`, with its output.',
    flags: GEMINI_FLAGS,
    exits: GEMINI_EXITS,
    line: geminiLine,
    finish,
    examples: EXAMPLES,
  });
}

const EXAMPLES = `
Put \`attractor gemini\` where a script says \`gemini\`, or link the command under that name.

Examples:
  attractor gemini -p "what is this?" -o json
  attractor gemini --approval-mode auto_edit "fix the typo in README.md"`;
