import type { Start } from '@attractor/terminal';
import { addModelFlags, type ModelFlags } from '../model-flags.ts';
import type { ConverseFlags } from './converse.ts';

type Given = ModelFlags & ConverseFlags & { readonly continue?: boolean; readonly resume?: string | boolean };

/** A command line that certainly opens a conversation on a terminal. Without flags nothing is loaded to read them. */
export async function main(argv: ReadonlyArray<string>): Promise<number> {
  const { converse } = await import('./converse.ts');
  if (argv.length === 0) return converse({}, {});
  const { runProgram } = await import('../program.ts');
  return runProgram(argv, (program, finish) => {
    addModelFlags(program.usage('[question] [options]').argument('[question]'))
      .option('-c, --continue', 'go on with the newest conversation of this folder')
      .option('-r, --resume [id]', 'go on with this conversation; without an id choose one')
      .option('--permission-mode <mode>', 'what may run unasked: default, acceptEdits, plan')
      .option('--allow-unsandboxed', 'let commands run without a sandbox')
      .option('--no-animation', 'nothing on the screen moves by itself')
      .option('--screen-reader', 'plain lines and numbered choices, nothing is redrawn')
      .action(async (question: string | undefined, flags: Given) => {
        const { continue: isLatest, resume: id, ...rest } = flags;
        finish(await converse(startOf(question, isLatest, id), rest));
      });
  });
}

function startOf(question: string | undefined, isLatest: boolean | undefined, id: string | boolean | undefined): Start {
  const said = question === undefined ? {} : { question };
  if (typeof id === 'string') return { ...said, resume: { type: 'id', id } };
  if (id === true) return { ...said, resume: { type: 'choose' } };
  return isLatest === true ? { ...said, resume: { type: 'latest' } } : said;
}
