/*
 * As a user without rights, tries everything that an environment on ROOT offers, and prints the codes of the refusals:
 *   node nobody-child.ts ROOT
 */
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { EnvironmentError } from '../types/index.ts';

const env = createLocalExecutionEnvironment(process.argv[2] ?? '');
process.setgroups?.([]);
process.setgid?.(65_534);
process.setuid?.(65_534);

const codeOf = (operation: Promise<unknown>): Promise<unknown> =>
  operation.catch((error: unknown) => (error instanceof EnvironmentError ? error.code : String(error)));

process.stdout.write(
  JSON.stringify({
    file: await codeOf(env.readFile('secret.txt')),
    folder: await codeOf(env.listDirectory('closed')),
    inFolder: await codeOf(env.readFile('hidden/x.txt')),
    throughFolder: await codeOf(env.readFile('closed/x.txt')),
    write: await codeOf(env.writeFile('closed/x.txt', 'y')),
    command: await codeOf(env.execCommand('pwd', { workingDir: 'hidden' })),
  }),
);
