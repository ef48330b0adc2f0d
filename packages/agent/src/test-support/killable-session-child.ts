/*
 * A program for tests: starts or resumes a session of slow effects on a journal in the given folder, until there is a file `enough` in it.
 * While there is a file `hold`, a command does not end once it had its effect.
 */
import { existsSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@attractor/llm';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { openJournal } from '@attractor/journal';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import type { Session } from '../contract/session.ts';
import { createSession, resumeSession } from '../session/session.ts';
import { call, createScriptedClient, type Reply } from '../testing/scripted-client.ts';

await main(process.argv[2] ?? '');

async function main(root: string): Promise<void> {
  const file = path.join(root, 'state', 'session.jsonl');
  const isNew = !existsSync(file);
  const journal = openJournal(file);
  const options = {
    profile: createAnthropicProfile(),
    environment: createLocalExecutionEnvironment(root),
    client: modelOfSteps(root),
    config: { model: 'scripted', provider: 'scripted' },
    journal,
  };
  const holdsSession = !isNew && journal.read().some((record) => record.event.kind === 'SESSION_START');
  const session = holdsSession ? resumeSession(options) : createSession(options);
  void report(session);
  await session.resume();
  if (session.history().length === 0) await session.submit('do the steps');
  await session.close();
}

async function report(session: Session): Promise<void> {
  for await (const event of session.events()) writeSync(1, `${event.kind}\n`);
}

/** Decides its next reply from the request, as a model does: one step for each result it has seen. */
function modelOfSteps(root: string): Client {
  return createScriptedClient(({ messages }) =>
    existsSync(path.join(root, 'enough'))
      ? { text: 'All done.' }
      : replyFor(messages.filter(({ role }) => role === 'tool').length),
  );
}

function replyFor(answered: number): Reply {
  const command = `sleep 0.05; echo step-${answered} >> effects; while [ -e hold ]; do sleep 0.05; done; sleep 0.05`;
  return { text: 'Next.', calls: [call('shell', { command }, `step-${answered}`)] };
}
