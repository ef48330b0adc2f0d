import { done } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';

/** Where a repository is cloned from. */
export type Address = {
  /** As it may be stored and shown. */
  readonly shown: string;
  /** As it was given, where that holds a secret. */
  readonly secret: string | null;
  /** What its folder is called unless somebody says otherwise; empty if nothing is left of it. */
  readonly name: string;
};

/** What git may use; also what it is sent on to by a server. */
export const PROTOCOLS = ['https', 'http', 'ssh', 'git'] as const;

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
const HELPER = /^([a-z0-9+.-]+)::/i;
/** `host:path` or `user@host:path`, as git reads it: no slash before the colon. */
const SCP = /^(?:[^\s/:@-][^\s/:@]*@)?[^\s/:@-][^\s/:@]*:[^\s].*$/;

/** Only addresses of other machines: nothing that names a program, an option or a folder of this one. */
export function readAddress(given: string): Result<Address> {
  const text = given.trim();
  if (text === '' || /[\p{Cc}\s]/u.test(text)) return wrong('An address is one word, such as https://host/name.git.');
  if (text.startsWith('-')) return wrong(`"${text.slice(0, 20)}" is an option of git, not an address.`);
  const helper = HELPER.exec(text)?.[1];
  if (helper !== undefined) return wrong(`"${helper}::" would start a program. ${ALLOWED}`);
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return SCP.test(text) ? done({ shown: text, secret: null, name: nameIn(text) }) : local();
  if (scheme === 'file') return local();
  if (!PROTOCOLS.some((known) => known === scheme)) return wrong(`"${scheme}://" is not possible. ${ALLOWED}`);
  return URL.canParse(text) ? ofUrl(text, scheme) : wrong('This is not the address of a repository.');
}

const ALLOWED = 'Give an address with https, http, ssh or git, or one such as git@host:name.git.';

function ofUrl(text: string, scheme: string): Result<Address> {
  const url = new URL(text);
  if (url.hostname === '' || url.hostname.startsWith('-') || url.username.startsWith('-'))
    return wrong('This address names no host.');
  if (url.search !== '' || url.hash !== '') return wrong('The address of a repository has no "?" and no "#".');
  if (scheme === 'git' && (url.username !== '' || url.password !== ''))
    return wrong('git:// has no sign-in: leave out the name and the password, or give an address with https or ssh.');
  const isSecret = url.password !== '' || (url.username !== '' && scheme.startsWith('http'));
  url.password = '';
  // A token is often given as a name; only ssh needs one to find its way.
  if (scheme !== 'ssh') url.username = '';
  return done({ shown: url.href, secret: isSecret ? text : null, name: nameIn(url.pathname) });
}

function nameIn(path: string): string {
  const last = path
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .split(/[/:]/)
    .at(-1);
  return (last ?? '').replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '');
}

const local = () => wrong('This is a folder of this machine: add the folder itself as a project.');

function wrong(message: string): Result<never> {
  return refuse('invalid', message, [{ path: 'url', expected: 'an address with https, http, ssh or git', message }]);
}

/** What git said, without what nobody may read. */
export function withoutSecrets(said: string, { shown, secret }: Address): string {
  if (secret === null) return said;
  const { username, password } = new URL(secret);
  const parts = [username, password].flatMap((part) => (part === '' ? [] : [part, decoded(part)]));
  return parts.reduce((text, part) => text.replaceAll(part, '…'), said.replaceAll(secret, shown));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
