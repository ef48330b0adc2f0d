import { expect, it } from 'vitest';
import { createAccess } from './auth.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

it('a session ends thirty days after it began, whatever is asked with its cookie', () => {
  let now = Date.UTC(2026, 0, 1);
  const access = createAccess({ token: 'a-token', now: () => now });
  const session = access.signIn(access.mintKey());
  const cookie = session?.cookie ?? '';
  expect(access.readCookie(cookie)).toEqual(session);
  now += 30 * DAY_MS - 1000;
  expect(access.readCookie(cookie)).toMatchObject({ csrf: session?.csrf });
  now += 1000;
  expect(access.readCookie(cookie)).toBeNull();
});

it('sessions differ from each other, and none gives away the token', () => {
  const access = createAccess({ token: 'a-token', now: Date.now });
  const sessions = [access.signIn('a-token'), access.signIn('a-token')];
  expect(new Set(sessions.flatMap((session) => [session?.cookie, session?.csrf])).size).toBe(4);
  expect(JSON.stringify([...sessions, access.cookieName, access.prove('challenge')])).not.toContain('a-token');
});
