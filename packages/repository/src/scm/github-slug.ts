/** A repository as `gh` names it: `owner/name`, with the host in front if it is not github.com. */
export type GithubSlug = { readonly host: string; readonly slug: string };

const ADDRESSES: ReadonlyArray<RegExp> = [
  /^(?:https?|ssh|git):\/\/(?:[^@/]+@)?(?<host>[^/:]+)(?::\d+)?\/(?<owner>[^/]+)\/(?<name>[^/]+?)(?:\.git)?\/?$/,
  /^(?:[^@/:]+@)?(?<host>[^/:]+):(?<owner>[^/]+)\/(?<name>[^/]+?)(?:\.git)?\/?$/,
];

const PLAIN = /^[\w.-]+$/;

/** Null for an address of a host other than GitHub's and `ghHost`, a person's own. */
export function githubSlug(url: string, ghHost: string | undefined): GithubSlug | null {
  for (const address of ADDRESSES) {
    const { host = '', owner = '', name = '' } = address.exec(url)?.groups ?? {};
    const known = host === 'github.com' || (ghHost !== undefined && host === ghHost);
    if (!known || ![owner, name].every((part) => PLAIN.test(part) && !part.startsWith('-'))) continue;
    return { host, slug: host === 'github.com' ? `${owner}/${name}` : `${host}/${owner}/${name}` };
  }
  return null;
}
