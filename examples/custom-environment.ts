/* Tools act wherever the environment says: here on files in memory, with a log of every change and one command. */
import assert from 'node:assert/strict';
import { createSession, type ExecutionEnvironment, profileFor } from '@attractor/agent';
import { call, createMemoryEnvironment, createScriptedClient, environmentContract } from '@attractor/agent/testing';

/** Any environment, with writes and deletions reported to `log`. */
function logged(inner: ExecutionEnvironment, log: (line: string) => void): ExecutionEnvironment {
  return {
    ...inner,
    writeFile: async (path, content, options) => {
      await inner.writeFile(path, content, options);
      log(`wrote ${path}`);
    },
    deleteFile: async (path, options) => {
      await inner.deleteFile(path, options);
      log(`deleted ${path}`);
    },
  };
}

// The port's contract suite shows whether the wrapper is correct.
const make = () => ({ environment: logged(createMemoryEnvironment(), () => undefined) });
for (const { run } of environmentContract(make, { commands: 'none' })) await run();

const lines: string[] = [];
const memory = createMemoryEnvironment({
  files: { 'notes.md': '# Notes\n' },
  onCommand: (command) => ({ stdout: `would run: ${command}\n` }),
});
const session = createSession({
  profile: profileFor('anthropic'),
  client: createScriptedClient([
    { calls: [call('edit_file', { file_path: 'notes.md', old_string: 'Notes', new_string: 'Ideas' })] },
    { calls: [call('shell', { command: 'deploy --now' })] },
    { text: 'Renamed, and deployed nowhere.' },
  ]),
  environment: logged(memory, (line) => lines.push(line)),
  config: { provider: 'scripted', model: 'scripted' },
});
await session.submit('Rename the notes and deploy.');
await session.close();

assert.deepEqual(memory.files(), { 'notes.md': '# Ideas\n' });
assert.deepEqual(lines, ['wrote notes.md']);
assert.match(JSON.stringify(session.history()), /would run: deploy --now/);
console.log(lines.join('\n'));
