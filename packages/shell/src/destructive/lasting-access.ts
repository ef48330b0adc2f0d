import { posix } from 'node:path';
import { kernelPath } from '../kernel-path.ts';
import type { ExpandedWord } from '../words.ts';
import type { JudgedCommand } from './machine.ts';
import { isDevice, isSystem } from './places.ts';

/** Why writing to this place gives lasting access or turns a guard off; null if it does not. */
export function whyNotWrite(
  word: ExpandedWord,
  cwds: ReadonlyArray<string>,
  pathContext: JudgedCommand['pathContext'],
): string | null {
  for (const cwd of cwds.length === 0 ? ['/?'] : cwds) {
    const path = kernelPath(word.text, cwd, pathContext.disk) ?? posix.resolve(cwd, word.text);
    if (/^\/dev\/(?:tcp|udp)\//.test(path)) return null;
    if (GUARDS.test(`${path}/`)) return "turns off the agent's own guard";
    if (OBEYED_FILES.test(`${path}/`)) return 'opens a lasting door: another program obeys this file';
    if (/^\/dev\/(?:tty|pts|console|input|mem|kmem)/.test(path) || /^\/proc\/[^/]+\/(?:mem|fd|root|task)/.test(path))
      return "reaches into other programs, the agent's among them";
    if (isDevice(path)) return 'destroys a disk or the running system';
    if (isSystem(path, pathContext)) return 'changes the running system';
  }
  return null;
}

/** Settings of this program and of similar ones. */
const GUARDS =
  /\/\.(?:attractor|claude|claude\.json|codex|gemini|cursor|cline|clinerules|roo|kiro|opencode|goose|windsurf|agent|agents|agents-manager|mcp\.json|aider\.conf\.yml)\/|\/\.config\/(?:[\w-]*agent[\w-]*|attractor|claude[\w-]*|codex|gemini|opencode|goose|cursor|zed)\//i;

/** Files that a login, a schedule, a commit or a connection runs or obeys. */
const OBEYED_FILES =
  /\/\.git\/(?:hooks|config|info\/attributes)\/|\/\.(?:husky|githooks)\/|\/\.ssh\/|\/authorized_keys\/|\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|inputrc|xinitrc|xprofile|xsessionrc|gitconfig|netrc|vimrc|gvimrc|emacs|tmux\.conf|envrc|pam_environment)\/|\/\.config\/(?:autostart|systemd|fish|git|environment\.d|nvim|zsh)\/|\/Launch(?:Agents|Daemons)\/|\/(?:cron\.(?:d|daily|hourly|weekly|monthly)|cron|crontabs)\/|\/sudoers(?:\.d)?\/|\/ld\.so\.preload\//;

/** Whether a path, as code names it, is one of those. */
export function givesLastingAccess(path: string): boolean {
  return /[/.]/.test(path) && (GUARDS.test(`/${path}/`) || OBEYED_FILES.test(`/${path}/`));
}

const LASTING = 'opens a lasting door';
const GUARD = "turns off the agent's own guard";

/** Why a command gives lasting access or acts on the agent itself, whatever file it names. */
export function whyLastingAccess(command: JudgedCommand): string | null {
  const reason = BY_NAME.get(command.name)?.(command) ?? null;
  if (reason !== null || SHOWS_TEXT.has(command.name)) return reason;
  if (memoryOf(command)) return GUARD;
  if (!command.words.some(({ text }) => text.includes('--') && MAY_BYPASS.test(text))) return null;
  const all = ` ${joined(command).replaceAll(/["']/g, ' ')} `;
  return BYPASSES.some((pattern) => pattern.test(all)) ? GUARD : null;
}

/** They search or print their input, never obey it. */
const SHOWS_TEXT: ReadonlySet<string> = new Set('rg grep egrep fgrep ag ack git echo printf'.split(' '));

/** The memory of another program. */
function memoryOf({ words }: JudgedCommand): boolean {
  return words.some(({ text }) => /^(?:if=)?\/proc\/[^/]+\/mem$/.test(text));
}

type Check = (command: JudgedCommand) => string | null;

const always =
  (reason: string): Check =>
  () =>
    reason;

const saying =
  (pattern: RegExp, reason: string): Check =>
  (command) =>
    pattern.test(joined(command)) ? reason : null;

const CONTAINERS =
  /--privileged|--pid[= ]host|(?:-v|--volume)[= ]?\/(?:etc|root|var\/run\/docker\.sock)?:|docker\.sock|source=\/[, ]|(?:-v|--volume)[= ]?\S*\/\.(?:ssh|aws|gnupg|kube|docker|config)[/:]/;

const BY_NAME: ReadonlyMap<string, Check> = new Map([
  ...each(
    'useradd usermod userdel adduser deluser groupadd groupdel groupmod gpasswd passwd chpasswd visudo vipw chsh ssh-copy-id ssh-import-id ssh-import-id-gh update-rc.d rc-update chkconfig',
    always(LASTING),
  ),
  ...each('nsenter bwrap ptrace reptyr xdotool ydotool wtype systemd-nspawn', always(GUARD)),
  ...each('renice prlimit ionice chrt taskset', saying(/\$\{?PPID/, GUARD)),
  ...each('unset', ({ words }) => (words.some(({ text }) => disarms(text)) ? GUARD : null)),
  ...each('machinectl', saying(/(?:^| )(?:shell|login|start|run)(?: |$)/, GUARD)),
  ...each('dscl', saying(/(?:^| )-?(?:create|append|passwd|change|merge|delete)(?: |$)/, LASTING)),
  ...each('osascript', saying(/login item/i, LASTING)),
  ...each('chroot', saying(/\/proc\/1\//, GUARD)),
  ...each('export declare typeset readonly', ({ words }) => (words.some(({ text }) => disarms(text)) ? GUARD : null)),
  ...each('crontab', (command) => (/^-[lV]$|^$/.test(joined(command)) ? null : LASTING)),
  ...each('systemctl launchctl', saying(/(?:^| )(?:enable|load|bootstrap|link|edit|submit)(?: |$)/, LASTING)),
  ...each('loginctl', saying(/enable-linger/, LASTING)),
  ...each('nc ncat netcat nc.traditional nc.openbsd', saying(/(?:^| )(?:-[a-z]*[ec]|--(?:sh-)?exec)(?: |$)/, LASTING)),
  ...each('socat', saying(/exec:|system:|shell:/i, LASTING)),
  ...each('docker podman', saying(CONTAINERS, GUARD)),
  ...each('curl wget http', saying(/docker\.sock/, GUARD)),
  ...each('tmux screen', saying(/send-keys|(?:^| )-X stuff|paste-buffer/, GUARD)),
  ...each('gdb lldb', saying(/(?:^| )(?:-p|--pid|--attach-pid)/, GUARD)),
  ...each('strace ltrace', saying(/(?:^| )-[a-z]*p/, GUARD)),
  ...each('kill', saying(/\$\{?PPID|\$\$|pgrep|pidof|attractor|(?:^| )-?\d* ?\$\(/, GUARD)),
  ...each('pkill killall skill', ({ words }) => (ownProcess(words) ? GUARD : null)),
]);

function each(names: string, check: Check): ReadonlyArray<readonly [string, Check]> {
  return names.split(' ').map((name) => [name, check]);
}

function joined({ words }: JudgedCommand): string {
  return words.map(({ text }) => text).join(' ');
}

/** By name, or so broadly that it is included. */
function ownProcess(words: ReadonlyArray<ExpandedWord>): boolean {
  return words.some(
    ({ text, known }) =>
      !known ||
      /^(?:-u|-U|-v|--user|--inverse|\.|\.\*|node|bash|sh|)$|attractor|agent|claude|codex|gemini|cursor|aider|opencode|bwrap|sandbox|guard|supervis/i.test(
        text,
      ),
  );
}

/** How each of those below begins. */
const MAY_BYPASS = /--(?:dangerously-|yolo|allow-unsandboxed|no-sandbox-policy|permission-mode|approval-|sandbox)/;

const BYPASSES: ReadonlyArray<RegExp> = [
  / --(?:dangerously-[\w-]+|yolo|allow-unsandboxed|no-sandbox-policy) /,
  / --permission-mode[= ]bypassPermissions /,
  / --(?:approval-mode|sandbox|approval-policy)[= ](?:yolo|danger-full-access|never) /,
];

/** Variables that would switch off a guard. */
export function disarms(name: string): boolean {
  return /^(?:ATTRACTOR|CLAUDE|CODEX|GEMINI|CURSOR)_\w*(?:PERMISSION|SANDBOX|POLICY|TRUST|BYPASS|DANGER|APPROV|YOLO)/.test(
    name,
  );
}
