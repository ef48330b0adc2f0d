/** Sessions that somebody signed out of, until their cookies would have expired anyway. `id` says nothing of the cookie. */
export const ENDED_SESSIONS = {
  name: '019-ended-sessions',
  sql: `
create table ended_sessions (id text primary key, expires_at text not null) strict
`,
};
