/*
 * Runs commands in a sandbox on ROOT, and prints what they said; started as a user without rights:
 *   node ordinary-user-child.ts ROOT < a JSON list of commands
 */
import { readFileSync } from 'node:fs';
import { createSandbox, findSandbox } from '@attractor/confine';
import { createLocalExecutionEnvironment } from '../execution/local.ts';

const root = process.argv[2] ?? '';
const commands: ReadonlyArray<string> = JSON.parse(readFileSync(0, 'utf8'));

const found = await findSandbox({ roots: [root] });
if (!found.available) process.stdout.write(JSON.stringify({ reason: found.reason }));
else {
  const sandbox = createSandbox({ bubblewrap: found, roots: [root], maxProcesses: 40 });
  const environment = createLocalExecutionEnvironment(root, 'inherit_harmless', { sandbox });
  const said: string[] = [];
  for (const command of commands) {
    const { stdout, stderr } = await environment.execCommand(command, 30_000);
    said.push(`${stdout}${stderr}`);
  }
  await environment.cleanup();
  await sandbox.close();
  process.stdout.write(JSON.stringify({ said }));
}
