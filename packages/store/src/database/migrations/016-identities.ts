/** Who a user is at an issuer: its address, and what it calls the person for ever. Null: nobody signed in that way yet. */
export const IDENTITIES = {
  name: '016-identities',
  sql: `
alter table users add column issuer text;
alter table users add column subject text;
create unique index users_by_identity on users (issuer, subject)
`,
};
