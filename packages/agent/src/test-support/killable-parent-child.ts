/*
 * A program for tests: a session whose subagent has slow effects until there is a file `enough` in the given folder; both have journals in
 * it.
 */
import { existsSync, writeSync } from 'node:fs';
import path from 'node:path';
import { messageText, type Message, type Request } from '@attractor/llm';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { journalsBeside, openJournal } from '@attractor/journal';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import type { Session } from '../contract/session.ts';
import { createSession, resumeSession } from '../session/session.ts';

import { call, createScriptedClient, type Reply } from '../testing/scripted-client.ts';

const [folder = ''] = process.argv.slice(2);
await main(folder);

async function main(root: string): Promise<void> {
  const file = path.join(root, 'state', 'session.jsonl');
  const isNew = !existsSync(file);
  const journal = openJournal(file);
  const options = {
    profile: createAnthropicProfile(),
    environment: createLocalExecutionEnvironment(root),
    client: createScriptedClient(reply),
    config: { model: 'scripted', provider: 'scripted' },
    journal,
    journalFor: journalsBeside(file),
  };
  const holdsSession = !isNew && journal.read().some((record) => record.event.kind === 'SESSION_START');
  const session = holdsSession ? resumeSession(options) : createSession(options);
  void report(session);
  await session.resume();
  if (session.history().length === 0) await session.submit('let it be done');
  await session.close();
}

async function report(session: Session): Promise<void> {
  for await (const event of session.events()) {
    writeSync(1, `${event.kind === 'SUBAGENT_EVENT' ? event.event.kind : event.kind}\n`);
  }
}

function reply({ messages }: Request): Reply {
  return messages.some((message) => messageText(message).startsWith('CHILD'))
    ? childReply(messages)
    : parentReply(messages);
}

function childReply(messages: ReadonlyArray<Message>): Reply {
  const done = messages.filter(({ role }) => role === 'tool').length;
  if (existsSync(path.join(folder, 'enough'))) return { text: 'All steps done.' };
  const command = `sleep 0.05; echo step-${done} >> effects; sleep 0.05`;
  return { text: 'Next.', calls: [call('shell', { command }, `step-${done}`)] };
}

/** Spawns once, waits, and lets the child continue when told that it was interrupted. */
function parentReply(messages: ReadonlyArray<Message>): Reply {
  const n = messages.length;
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const heard = JSON.stringify(since);
  if (n <= 2) return { calls: [call('spawn_agent', { id: 'worker', instruction: 'CHILD: do the steps' }, `s${n}`)] };
  if (heard.includes('\\"success\\":true')) return { text: 'It is done.' };
  if (heard.includes('There is no agent'))
    return { calls: [call('spawn_agent', { id: 'worker', instruction: 'CHILD: do the steps' }, `s${n}`)] };
  if (heard.includes('interrupted'))
    return { calls: [call('send_input', { id: 'worker', message: 'Go on.' }, `i${n}`)] };
  return { calls: [call('wait', { id: 'worker' }, `w${n}`)] };
}
