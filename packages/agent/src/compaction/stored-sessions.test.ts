import { describe, expect, it } from 'vitest';
import { journalOf, readRecords } from '@attractor/journal/testing';
import { messagesOf } from '../session/messages.ts';
import { replay } from '../session/replay.ts';
import { createSession, resumeSession } from '../session/session.ts';

import { openSessions, type SessionsResult } from '@attractor/journal';

import { makeSession } from '../test-support/session-world.ts';
import { makeFolder } from '@attractor/base/testing';
import { createScriptedClient } from '../testing/scripted-client.ts';

const value = <Value>(result: SessionsResult<Value>): Value => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

/** A stored session of four inputs, compacted after the second and after the fourth. */
async function storedSession() {
  const home = makeFolder();
  const sessions = openSessions({ home });
  const held = value(sessions.create({ cwd: '/work', provider: 'anthropic' }));
  const { options } = makeSession([]);
  const reply = { text: `An answer. ${'And more of it. '.repeat(400)}` };
  const client = createScriptedClient(({ messages }) =>
    JSON.stringify(messages[0]).includes('You write the summary') ? { text: 'In short.' } : reply,
  );
  const given = { ...options, client, compaction: {}, journal: held.journal, sessionId: held.id };
  const session = createSession(given);
  for (const input of ['one', 'two', '/compact', 'three', 'four', '/compact']) await session.submit(input);
  await session.close();
  const viewOf = (id: string) => replay(readRecords(journalOf(home, id)), {}).view;
  return { home, sessions, id: held.id, given, viewOf };
}

describe('a session that was compacted', () => {
  it('is rewound to before a compaction and forward again', async () => {
    const { sessions, id, viewOf } = await storedSession();
    const whole = messagesOf(viewOf(id));
    expect(viewOf(id).compaction?.spans).toHaveLength(2);
    value(sessions.rewind(id, { turn: 2 }));
    expect(viewOf(id).compaction).toBeNull();
    expect(viewOf(id).turns).toHaveLength(2);
    value(sessions.rewind(id, { redo: true }));
    expect(JSON.stringify(messagesOf(viewOf(id)))).toBe(JSON.stringify(whole));
  });

  it('is forked at any turn, and the fork goes on', async () => {
    const { sessions, id, viewOf, given } = await storedSession();
    const { id: early } = value(sessions.fork(id, { turn: 2 }));
    expect(viewOf(early).compaction).toBeNull();
    const { id: late } = value(sessions.fork(id, {}));
    expect(JSON.stringify(messagesOf(viewOf(late)))).toBe(JSON.stringify(messagesOf(viewOf(id))));
    const held = value(sessions.open(late));
    const session = resumeSession({ ...given, journal: held.journal, sessionId: late });
    await session.submit('five');
    expect(session.error()).toBeNull();
    expect(session.history().at(-2)).toMatchObject({ content: 'five' });
    await session.close();
  });

  it('is exported and imported to the same request', async () => {
    const { sessions, id, viewOf } = await storedSession();
    const before = JSON.stringify(messagesOf(viewOf(id)));
    const lines = [...value(sessions.export(id))];
    value(sessions.delete(id, { forever: true }));
    const imported = value(sessions.import(lines));
    expect(JSON.stringify(messagesOf(viewOf(imported.id)))).toBe(before);
  });
});
