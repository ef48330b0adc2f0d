import { tmpdir } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLiveSessions } from './live-sessions.ts';

it('of several who say something at the same moment one opens the conversation', async () => {
  let [open, most, times] = [0, 0, 0];
  const live = createLiveSessions(tmpdir(), async () => {
    open += 1;
    times += 1;
    most = Math.max(most, open);
    await nextTurn();
    open -= 1;
    throw new Error('no model here');
  });
  const session = { id: 'ses_1', cwd: '/', model: null };
  const said = await Promise.all([live.say(session, 'one'), live.say(session, 'two')]);
  expect({ most, times }).toEqual({ most: 1, times: 2 });
  expect(said).toMatchObject([{ problem: 'no model here' }, { problem: 'no model here' }]);
});
