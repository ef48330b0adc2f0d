import type { Start } from '@attractor/terminal';
import type { Command } from 'commander';
import { addModelFlags } from '../model-flags.ts';
import { runProgram } from '../program.ts';
import { converse } from './converse.ts';
import type { ConverseFlags } from './converse-flags.ts';

type Given = ConverseFlags & { readonly continue?: boolean; readonly resume?: string | boolean };

/** `attractor` with words or flags. */
export function converseWith(argv: ReadonlyArray<string>): Promise<number> {
  return runProgram(argv, define);
}

export function define(program: Command, finish: (exitCode: number) => void): void {
  addModelFlags(program.usage('[question] [options]').argument('[question]'))
    .option('-c, --continue', 'continue the newest conversation of this folder')
    .option('-r, --resume [id]', 'continue this conversation; without an id, choose one')
    .option('--permission-mode <mode>', 'what may run without asking: default, acceptEdits, plan')
    .option('--allow-unsandboxed', 'let commands run without a sandbox')
    .option('--no-animation', 'no animation on the screen')
    .option('--screen-reader', 'plain lines and numbered choices; nothing is redrawn')
    .action(async (question: string | undefined, flags: Given) => {
      const { continue: isLatest, resume: id, ...rest } = flags;
      finish(await converse(startOf(question, isLatest, id), rest));
    });
}

function startOf(question: string | undefined, isLatest: boolean | undefined, id: string | boolean | undefined): Start {
  const said = question === undefined ? {} : { question };
  if (typeof id === 'string') return { ...said, resume: { type: 'id', id } };
  if (id === true) return { ...said, resume: { type: 'choose' } };
  return isLatest === true ? { ...said, resume: { type: 'latest' } } : said;
}
