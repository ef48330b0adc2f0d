import type { NetworkPolicy } from './network/network-policy.ts';
import { rulesOf } from './network/judge-host.ts';

type Limits = {
  /** What commands can change, besides their own temporary folders. */
  readonly writable: ReadonlyArray<string>;
  readonly network: NetworkPolicy | undefined;
};

/** What a sandbox forbids, in a few lines for a model: what it knows it need not try. */
export function describeLimits({ writable, network }: Limits): string {
  const isConnected = rulesOf(network?.allowedDomains).length > 0;
  return [
    `Commands run in a sandbox. They can change files in ${shown(writable)} and in a /tmp of their own; everything else is read-only.`,
    isConnected
      ? `Of the network they reach ${shown(network?.allowedDomains ?? [])}, through the proxy in HTTP_PROXY and HTTPS_PROXY, and nothing else.`
      : 'They have no network, and reach no service of this machine either.',
    'Keys, tokens and histories of the home folder look empty. Files that git, editors, shells and agents obey (.git/config, .git/hooks, .vscode, .envrc and the like) can’t be made or changed.',
    'Don’t work around this. If a task needs more, say so, with the setting that allows it: sandbox.network.allowedDomains, sandbox.filesystem.allowWrite or sandbox.excludedCommands in the person’s own settings.',
  ].join('\n');
}

const MOST = 12;

function shown(names: ReadonlyArray<string>): string {
  const more = names.length - MOST;
  return [...names.slice(0, MOST), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
