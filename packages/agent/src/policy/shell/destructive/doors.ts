import { posix } from 'node:path';
import type { Spoken } from '../words.ts';
import type { Deed } from './machine.ts';
import { isDevice, isSystem } from './places.ts';

/** Why writing to this place opens a lasting door or turns a guard off; null when it does not. */
export function writesDoor(word: Spoken, cwds: ReadonlyArray<string>, ground: Deed['ground']): string | null {
  for (const cwd of cwds.length === 0 ? ['/?'] : cwds) {
    const path = posix.resolve(cwd, word.text);
    if (/^\/dev\/(?:tcp|udp)\//.test(path)) return null;
    if (GUARDS.test(`${path}/`)) return "turns off the agent's own guard";
    if (DOORS.test(`${path}/`)) return 'opens a lasting door: another program obeys this file';
    if (/^\/dev\/(?:tty|pts|console|input|mem|kmem)/.test(path) || /^\/proc\/[^/]+\/(?:mem|fd|root|task)/.test(path))
      return "reaches into other programs, the agent's among them";
    if (isDevice(path)) return 'destroys a disk or the running system';
    if (isSystem(path, ground)) return 'changes the running system';
  }
  return null;
}

/** Settings of this program and of its relatives. */
const GUARDS =
  /\/\.(?:attractor|claude|claude\.json|codex|gemini|cursor|cline|clinerules|roo|kiro|opencode|goose|windsurf|agent|agents|agents-manager|mcp\.json|aider\.conf\.yml)\/|\/\.config\/(?:[\w-]*agent[\w-]*|attractor|claude[\w-]*|codex|gemini|opencode|goose|cursor|zed)\//i;

/** Files that a login, a schedule, a commit or a connection runs or obeys. */
const DOORS =
  /\/\.git\/(?:hooks|config|info\/attributes)\/|\/\.(?:husky|githooks)\/|\/\.ssh\/|\/authorized_keys\/|\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|inputrc|xinitrc|xprofile|xsessionrc|gitconfig|netrc|vimrc|tmux\.conf|envrc|pam_environment)\/|\/\.config\/(?:autostart|systemd|fish|git|environment\.d)\/|\/Launch(?:Agents|Daemons)\/|\/(?:cron\.(?:d|daily|hourly|weekly|monthly)|cron|crontabs)\/|\/sudoers(?:\.d)?\/|\/ld\.so\.preload\//;

const DOOR = 'opens a lasting door';
const GUARD = "turns off the agent's own guard";

/** Why a command opens a lasting door or acts on the agent itself, whatever file it names. */
export function opensDoor(deed: Deed): string | null {
  const all = deed.words.map(({ text }) => text).join(' ');
  return byName(deed, all) ?? BYPASSES.find(([pattern]) => pattern.test(` ${all} `))?.[1] ?? null;
}

const ACCOUNTS =
  /^(?:useradd|usermod|userdel|adduser|deluser|groupadd|gpasswd|passwd|chpasswd|visudo|vipw|chsh|ssh-copy-id|update-rc\.d|chkconfig)$/;
const OUTSIDE = /^(?:nsenter|bwrap|ptrace|reptyr|xdotool|ydotool|wtype)$/;

function byName({ name, words }: Deed, all: string): string | null {
  if (ACCOUNTS.test(name)) return DOOR;
  if (OUTSIDE.test(name)) return GUARD;
  if (name === 'chroot') return /\/proc\/1\//.test(all) ? GUARD : null;
  if (/^(?:export|declare|typeset|readonly)$/.test(name)) return words.some(({ text }) => disarms(text)) ? GUARD : null;
  if (name === 'crontab') return /^-[lV]$|^$/.test(all) ? null : DOOR;
  if (name === 'systemctl' || name === 'launchctl')
    return /(?:^| )(?:enable|load|bootstrap|link|edit|submit)(?: |$)/.test(all) ? DOOR : null;
  if (name === 'loginctl') return /enable-linger/.test(all) ? DOOR : null;
  if (/^(?:nc|ncat|netcat)$/.test(name)) return /(?:^| )(?:-[a-z]*[ec]|--(?:sh-)?exec)(?: |$)/.test(all) ? DOOR : null;
  if (name === 'socat') return /exec:|system:|shell:/i.test(all) ? DOOR : null;
  if (name === 'docker' || name === 'podman')
    return /--privileged|--pid[= ]host|(?:-v|--volume)[= ]?\/(?:etc|root|var\/run\/docker\.sock)?:|docker\.sock|source=\/[, ]/.test(
      all,
    )
      ? GUARD
      : null;
  if (name === 'tmux' || name === 'screen') return /send-keys|(?:^| )-X stuff|paste-buffer/.test(all) ? GUARD : null;
  if (name === 'gdb' || name === 'lldb') return /(?:^| )(?:-p|--pid|--attach-pid)/.test(all) ? GUARD : null;
  if (name === 'strace' || name === 'ltrace') return /(?:^| )-[a-z]*p/.test(all) ? GUARD : null;
  if (name === 'kill') return /\$\{?PPID|\$\$|pgrep|pidof|attractor|(?:^| )-?\d* ?\$\(/.test(all) ? GUARD : null;
  if (name === 'pkill' || name === 'killall' || name === 'skill') return ownProcess(words) ? GUARD : null;
  return null;
}

/** By name, or so broadly that it is among them. */
function ownProcess(words: ReadonlyArray<Spoken>): boolean {
  return words.some(
    ({ text, known }) =>
      !known ||
      /^(?:-u|-U|-v|--user|--inverse|\.|\.\*|node|bash|sh|)$|attractor|agent|claude|codex|gemini|cursor|aider|opencode|bwrap|sandbox|guard|supervis/i.test(
        text,
      ),
  );
}

const BYPASSES: ReadonlyArray<readonly [RegExp, string]> = [
  [/ --(?:dangerously-[\w-]+|yolo|allow-unsandboxed|no-sandbox-policy) /, GUARD],
  [/ --permission-mode[= ]bypassPermissions /, GUARD],
  [/ --(?:approval-mode|sandbox|approval-policy)[= ](?:yolo|danger-full-access|never) /, GUARD],
];

/** Variables that would take a guard away. */
export function disarms(name: string): boolean {
  return /^(?:ATTRACTOR|CLAUDE|CODEX|GEMINI|CURSOR)_\w*(?:PERMISSION|SANDBOX|POLICY|TRUST|BYPASS|DANGER|APPROV|YOLO)/.test(
    name,
  );
}
