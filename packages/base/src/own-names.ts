/** As in names of accounts and in addresses of mail. */
const USER = /^[a-z0-9][a-z0-9._@-]{0,63}$/;

/** What is expected of the name of a user and this is not, in small letters, as it is kept; null: nothing. */
export function expectedOfUserName(name: string): string | null {
  return USER.test(name) ? null : 'letters, digits, and . _ @ - after the first, at most 64';
}

/** The same of the name of a channel: it is typed in commands and is a key of a file. */
export function expectedOfChannelName(name: string): string | null {
  return /^[\w-]{1,40}$/.test(name) ? null : 'letters, digits, - and _, at most 40';
}
