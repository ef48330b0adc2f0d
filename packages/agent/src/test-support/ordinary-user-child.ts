/*
 * Runs commands in a sandbox on ROOT, and prints what they said; started as a user without rights:
 *   node ordinary-user-child.ts ROOT < a JSON list of commands
 * With `none` after ROOT it looks for bubblewrap nowhere, prints what is said about that, and runs the commands as a person may allow it.
 */
import { readFileSync } from 'node:fs';
import { createSandbox, findSandbox, type Sandbox } from '@attractor/confine';
import { sandboxVerdict } from '@attractor/policy';
import { createLocalExecutionEnvironment } from '../execution/local.ts';

const [root = '', look] = process.argv.slice(2);
const commands: ReadonlyArray<string> = JSON.parse(readFileSync(0, 'utf8'));

const found = await findSandbox({ roots: [root], ...(look === 'none' ? { candidates: [] } : {}) });
if (look === 'none') {
  const verdicts = [
    { mode: 'acceptEdits', interactive: false, allowUnsandboxed: false },
    { mode: 'bypassPermissions', interactive: true, allowUnsandboxed: false },
    { mode: 'default', interactive: true, allowUnsandboxed: false },
    { mode: 'acceptEdits', interactive: false, allowUnsandboxed: true },
  ] as const;
  const told = verdicts.map((question) => sandboxVerdict({ ...question, sandbox: found }));
  process.stdout.write(JSON.stringify({ told, said: await run(undefined) }));
} else if (!found.available) process.stdout.write(JSON.stringify({ reason: found.reason }));
else {
  const sandbox = createSandbox({ bubblewrap: found, roots: [root], maxProcesses: 40 });
  const said = await run(sandbox);
  await sandbox.close();
  process.stdout.write(JSON.stringify({ said }));
}

async function run(sandbox: Sandbox | undefined): Promise<ReadonlyArray<string>> {
  const environment = createLocalExecutionEnvironment(root, 'inherit_harmless', { sandbox });
  const said: string[] = [];
  for (const command of commands) {
    const { stdout, stderr } = await environment.execCommand(command, 30_000);
    said.push(`${stdout}${stderr}`);
  }
  await environment.cleanup();
  return said;
}
