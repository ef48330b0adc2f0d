/* A process dies by SIGKILL in the middle of a command; the next one continues from the journal, and nothing is done twice. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createLocalExecutionEnvironment, createSession, profileFor, resumeSession } from '@attractor/agent';
import { openJournal } from '@attractor/journal';
import { call, createScriptedClient } from '@attractor/agent/testing';

const given = process.argv[2];
if (given === undefined) await killAndResume();
else await work(given);

async function killAndResume(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'resume-'));
  const first = spawn(process.execPath, [import.meta.filename, folder], { stdio: 'inherit' });
  while (!existsSync(join(folder, 'effects'))) await wait(5);
  first.kill('SIGKILL');
  await new Promise((resolve) => first.on('exit', resolve));
  console.log('killed in the middle of the first command');

  await work(folder);
  assert.deepEqual(readFileSync(join(folder, 'effects'), 'utf8').trim().split('\n'), ['one', 'two']);
  rmSync(folder, { recursive: true });
}

/** Starts the work, or continues from the journal. */
async function work(folder: string): Promise<void> {
  const file = join(folder, 'session.jsonl');
  const isNew = !existsSync(file);
  const journal = openJournal(file);
  const options = {
    profile: profileFor('anthropic'),
    environment: createLocalExecutionEnvironment(folder),
    client: scripted(),
    config: { provider: 'scripted', model: 'scripted' },
    journal,
  };
  const session = isNew ? createSession(options) : resumeSession(options);
  if (isNew) await session.submit('Do one, then two.');
  else await session.resume();
  await session.close();
  const results = session.history().flatMap((turn) => (turn.kind === 'tool_results' ? turn.results : []));
  for (const { output } of results) console.log(output.split('\n')[0]);
  assert.match(results[0]?.output ?? '', /^interrupted/);
  assert.equal(results[1]?.isError, false);
}

/** Decides its reply from the request, as a model does. */
function scripted() {
  const commands = ['echo one >> effects; sleep 60', 'echo two >> effects'];
  return createScriptedClient(({ messages }) => {
    const command = commands[messages.filter(({ role }) => role === 'tool').length];
    return command === undefined ? { text: 'Both are done.' } : { calls: [call('shell', { command })] };
  });
}
