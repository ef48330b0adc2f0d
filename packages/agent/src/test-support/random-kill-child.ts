/*
 * A program for tests: starts or resumes the session of a home against a model on loopback; prints each stored event once it was delivered.
 */
import { writeSync } from 'node:fs';
import { createClient } from '@attractor/llm';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { createSession, resumeSession } from '../session/session.ts';
import { openSessions } from '@attractor/journal';

const [, , home = '', cwd = '', baseUrl = ''] = process.argv;

await main();

async function main(): Promise<void> {
  const sessions = openSessions({ home });
  const known = sessions.latest(cwd);
  const held = known === null ? sessions.create({ cwd }) : sessions.open(known.id);
  if (!held.ok) throw new Error(held.error.message);
  const { id, journal, isNew } = held.value;
  const client = createClient({ configuration: { providers: { anthropic: { apiKey: 'sk-test', baseUrl } } } });
  const options = {
    profile: createAnthropicProfile(),
    environment: createLocalExecutionEnvironment(cwd),
    client,
    config: { provider: 'anthropic', model: 'claude-sonnet-4-5', loopDetectionWindow: 0 },
    journal,
    sessionId: id,
  };
  const session = isNew ? createSession(options) : resumeSession(options);
  const told = tell(session.events());
  await session.resume();
  if (session.history().length === 0) await session.submit('do the steps');
  const error = session.error();
  await session.close();
  await told;
  await client.close();
  process.exitCode = error === null ? 0 : 1;
  if (error !== null) writeSync(2, `${error.message}\n`);
}

async function tell(events: AsyncIterable<{ readonly kind: string; readonly seq: number }>): Promise<void> {
  let last = 0;
  for await (const { kind, seq } of events) {
    if (seq > last) writeSync(1, `${seq} ${kind}\n`);
    last = seq;
  }
}
