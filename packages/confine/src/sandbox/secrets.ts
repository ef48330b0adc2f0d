import { accessSync, constants, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import type { Mount } from './mounts.ts';
import { namesIn, targetAt } from '../containment/list-folder.ts';

/** Below the home folder: keys, tokens, cookies, mail, histories, and other programs' records of conversations. */
const HOME_SECRETS = [
  // Keys and passwords
  '.ssh',
  '.gnupg',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.pki',
  '.netrc',
  '.authinfo',
  '.authinfo.gpg',
  '.git-credentials',
  '.config/git/credentials',
  '.config/op',
  '.op',
  '.1password',
  '.bitwarden',
  '.config/Bitwarden CLI',
  '.vault-token',
  '.config/sops',
  '.age',
  // Clouds and clusters
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/doctl',
  '.config/hcloud',
  '.config/heroku',
  '.config/netlify',
  '.config/vercel',
  '.local/share/com.vercel.cli',
  '.fly',
  '.oci',
  '.aliyun',
  '.kube',
  '.docker',
  '.config/containers',
  '.terraform.d',
  '.terraformrc',
  '.config/rclone',
  '.s3cfg',
  '.boto',
  '.cloudflared',
  '.wrangler',
  '.config/.wrangler',
  // Forges and registries
  '.config/gh',
  '.config/hub',
  '.config/glab-cli',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pypirc',
  '.config/pip',
  '.pip',
  '.gem/credentials',
  '.bundle/config',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.nuget',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.config/huggingface',
  '.huggingface',
  '.cache/huggingface/token',
  // Databases
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  '.config/pgcli',
  '.mongorc.js',
  // Browsers and mail
  '.mozilla',
  '.thunderbird',
  '.config/google-chrome',
  '.config/google-chrome-beta',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/vivaldi',
  '.config/opera',
  '.cache/mozilla',
  '.cache/google-chrome',
  '.cache/chromium',
  'snap/firefox',
  'snap/chromium',
  '.var/app',
  '.config/Signal',
  '.config/Slack',
  '.config/discord',
  // Agents: keys, settings with keys, transcripts
  '.attractor',
  '.aider.conf.yml',
  '.anthropic',
  '.claude',
  '.claude.json',
  '.cline',
  '.codex',
  '.config/anthropic',
  '.config/claude',
  '.config/codex',
  '.config/crush',
  '.config/github-copilot',
  '.config/goose',
  '.config/io.datasette.llm',
  '.config/opencode',
  '.continue',
  '.copilot',
  '.cursor',
  '.factory',
  '.gemini',
  '.iflow',
  '.kilocode',
  '.kiro',
  '.local/share/amp',
  '.local/share/crush',
  '.local/share/goose',
  '.local/share/opencode',
  '.local/state/opencode',
  '.openai',
  '.pi',
  '.qwen',
  '.roo',
  '.windsurf',
  // Editors that hold sessions and tokens
  '.config/Code',
  '.config/Cursor',
  '.config/VSCodium',
  '.config/Windsurf',
  '.config/JetBrains',
  '.config/zed',
  // Sockets of agents that sign or unlock
  '.local/share/containers/podman',
  '.colima',
  '.lima',
];

/** Inside a hidden folder, and needed by ordinary work: scripts of skills. */
const STILL_READ = ['.claude/skills', '.claude/plugins', '.codex/skills', '.gemini/skills', '.config/opencode/skills'];

/** Further names that suggest secrets: hidden files of the home folder, keys, and folders of settings. */
const TELLING_NAMES: Readonly<Record<string, RegExp>> = {
  '.': /_history$|^\.(?:history|lesshst|viminfo|wget-hsts)$|^\..*(?:credential|secret|token|password)|\.(?:pem|p12|pfx|kdbx|keystore|jks)$|^\.env(?:\.|$)|^id_(?:rsa|dsa|ecdsa|ed25519)/i,
  '.config': /credential|secret|token|password|keyring|wallet/i,
};

/** Readable by root alone; to the file system a sandbox started by root is still root. */
const SYSTEM_SECRETS = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssl/private',
  '/etc/kubernetes',
  '/etc/rancher',
  '/etc/wireguard',
  '/etc/NetworkManager/system-connections',
  '/etc/krb5.keytab',
  '/var/lib/docker',
  '/var/lib/containerd',
  '/var/lib/kubelet',
  '/var/lib/cloud',
  '/var/spool/cron',
];

export type Secrets = { readonly hidden: ReadonlyArray<string>; readonly stillRead: ReadonlyArray<string> };

/** The secrets that exist on this machine, as absolute paths. */
export function findSecrets(homes: ReadonlyArray<string>, further: ReadonlyArray<string> = []): Secrets {
  const below = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
    homes.flatMap((home) => names.map((name) => path.join(home, name)));
  const told = homes.flatMap((home) =>
    Object.entries(TELLING_NAMES).flatMap(([folder, telling]) =>
      namesIn(path.join(home, folder))
        .filter((name) => telling.test(name))
        .map((name) => path.join(home, folder, name)),
    ),
  );
  const hostKeys = namesIn('/etc/ssh')
    .filter((name) => /^ssh_host_.*_key$/.test(name))
    .map((name) => path.join('/etc/ssh', name));
  return {
    hidden: realPaths([
      ...below(HOME_SECRETS),
      ...told,
      ...further,
      ...[...SYSTEM_SECRETS, ...hostKeys].filter(isReadable),
    ]),
    stillRead: realPaths(below(STILL_READ)),
  };
}

/** The home folder of this user, from the environment and from the system. */
export function homesHere(): ReadonlyArray<string> {
  return [...new Set([homedir(), userInfo().homedir])];
}

/** Later ones cover earlier ones: what stays readable comes last. A hidden file reads like `emptyFile`. */
export function secretMounts({ hidden, stillRead }: Secrets, emptyFile: string): ReadonlyArray<Mount> {
  return [
    ...hidden.flatMap((at): ReadonlyArray<Mount> => {
      const kind = kindOf(at);
      if (kind === 'gone') return [];
      return [kind === 'folder' ? { at, as: 'hidden' } : { at, as: 'read-only', from: emptyFile }];
    }),
    ...stillRead.filter((at) => kindOf(at) !== 'gone').map((at) => ({ at, as: 'read-only' }) as const),
  ];
}

function kindOf(at: string): 'folder' | 'file' | 'gone' {
  const stats = targetAt(at);
  if (stats === undefined) return 'gone';
  return stats.isDirectory() ? 'folder' : 'file';
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Of those that exist. A secret that is a link is hidden at its target. */
function realPaths(files: ReadonlyArray<string>): ReadonlyArray<string> {
  return [
    ...new Set(
      files.flatMap((file) => {
        try {
          return [realpathSync.native(file)];
        } catch {
          return [];
        }
      }),
    ),
  ];
}
