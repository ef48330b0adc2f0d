import type { PathContext } from '../paths.ts';
import type { ExpandedWord } from '../words.ts';
import { isDevice, isGrave, isGitFolder, isSystem } from './places.ts';

export type JudgedCommand = {
  /** The name without its folder. */
  readonly name: string;
  readonly words: ReadonlyArray<ExpandedWord>;
  readonly cwds: ReadonlyArray<string>;
  readonly pathContext: PathContext;
};

type Check = (command: JudgedCommand) => string | null;

/** Why a command would destroy a disk, the system, the home folder or the workspace; null if it would not. */
export function destroysMachine(command: JudgedCommand): string | null {
  if (command.name.includes('fs') && /^(?:mkfs(?:\.|$)|newfs_)/.test(command.name)) return DISK;
  return BY_NAME.get(command.name)?.(command) ?? null;
}

const DISK = 'destroys a disk or the running system';
const LOSS = 'destroys the machine, the home folder or the workspace';
const OPEN = 'exhausts or opens up the machine';

const always =
  (reason: string): Check =>
  () =>
    reason;

const JUDGES: Readonly<Record<string, Check>> = {
  rm: removes,
  srm: removes,
  shred: (command) =>
    paths(command).some((word) => isDevice(word.text) || isGrave(word, command.cwds, command.pathContext))
      ? DISK
      : null,
  mv: (command) =>
    paths(command)
      .slice(0, -1)
      .some(
        (word) =>
          isGrave(word, command.cwds, command.pathContext) || isGitFolder(word, command.cwds, command.pathContext),
      )
      ? LOSS
      : null,
  fd: (command) =>
    says(command, /^(?:-[xX]|--exec(?:-batch)?)$/) && says(command, REMOVERS) && reaches(command) ? LOSS : null,
  setfacl: (command) => (reaches(command) ? OPEN : null),
  rsync: (command) =>
    says(command, /^--delete|^--del$/) &&
    paths(command)
      .slice(-1)
      .some((word) => isGrave(word, command.cwds, command.pathContext))
      ? LOSS
      : null,
  find: finds,
  chmod: (command) => opens(command, 'mode'),
  chown: (command) => opens(command, 'owner'),
  chgrp: (command) => opens(command, 'owner'),
  dd: (command) => (command.words.some(({ text }) => text.startsWith('of=') && isDevice(text.slice(3))) ? DISK : null),
  wipefs: (command) => (paths(command).length > 0 ? DISK : null),
  fdisk: (command) => (says(command, /^-(?:l|-list|V)/) ? null : DISK),
  parted: (command) => (says(command, /^-(?:l|-list|v)/) ? null : DISK),
  sfdisk: (command) => (says(command, /^-(?:l|d|-list|-dump)/) ? null : DISK),
  ...every(
    DISK,
    'cfdisk sgdisk gdisk blkdiscard mkswap mke2fs mkntfs mkdosfs scrub newfs cryptsetup lvremove vgremove pvremove pvcreate badblocks',
  ),
  ...every(DISK, 'reboot shutdown halt poweroff kexec killall5 telinit pivot_root'),
  init: (command) => (says(command, /^[0156sS]$/) ? DISK : null),
  systemctl: (command) => {
    if (says(command, /^(?:reboot|poweroff|halt|kexec|suspend|hibernate|rescue|emergency|isolate|default)$/))
      return DISK;
    return says(command, /^(?:stop|disable|mask)$/) && says(command, WATCHMEN) ? OPEN : null;
  },
  diskutil: (command) => (says(command, /^(?:erase|partition|zero|secureErase|delete)/) ? DISK : null),
  mdadm: (command) => (says(command, /^--(?:zero-superblock|stop|remove|fail|create)$|^-S$/) ? DISK : null),
  dmsetup: (command) => (says(command, /^(?:remove|remove_all|wipe_table)$/) ? DISK : null),
  btrfs: (command) => (says(command, /^(?:delete|format)$/) ? DISK : null),
  loginctl: (command) => (says(command, /^(?:poweroff|reboot|halt|terminate-user|kill-user)$/) ? DISK : null),
  killall: (command) => (says(command, /^(?:init|systemd|launchd)$/) ? DISK : null),
  pkill: (command) => (says(command, /^(?:init|systemd|launchd)$/) ? DISK : null),
  zpool: (command) => (says(command, /^(?:destroy|labelclear)$/) ? DISK : null),
  zfs: (command) => (says(command, /^(?:destroy|rollback)$/) ? DISK : null),
  nvme: (command) => (says(command, /^(?:format|sanitize)$/) ? DISK : null),
  hdparm: (command) => (says(command, /security|^-y/i) ? DISK : null),
  umount: (command) => (says(command, /^(?:-a|--all|\/)$/) ? DISK : null),
  kill: kills,
  ...every(OPEN, 'swapoff insmod rmmod modprobe setenforce setcap aa-teardown iptables-restore ip6tables-restore'),
  iptables: (command) => (says(command, /^(?:-F|--flush|-P|-X)$/) ? OPEN : null),
  ip6tables: (command) => (says(command, /^(?:-F|--flush|-P|-X)$/) ? OPEN : null),
  nft: (command) => (says(command, /^flush$/) ? OPEN : null),
  ufw: (command) => (says(command, /^(?:disable|reset)$/) ? OPEN : null),
  sysctl: (command) => (says(command, /^-w$|=|^-p/) ? OPEN : null),
  mount: (command) => (says(command, /remount|^--r?bind$|(?:^|,)r?bind(?:,|$)/) ? OPEN : null),
  crontab: (command) => (says(command, /^-r$/) ? LOSS : null),
  git: pushesOver,
};

const BY_NAME: ReadonlyMap<string, Check> = new Map(
  Object.entries({ ...JUDGES, fdfind: JUDGES['fd'] ?? (() => null) }),
);

/** Services that keep others out. */
const WATCHMEN = /^(?:firewalld|ufw|iptables|nftables|apparmor|auditd|fail2ban|ssh|sshd)(?:\.service)?$/;

const REMOVERS = /(?:^|\/)(?:rm|shred|unlink|chmod|chown)$/;

/** Whether one of the words is a place whose loss is grave, other than the workspace itself. */
function reaches(command: JudgedCommand): boolean {
  return paths(command).some(
    (word) =>
      isGrave(word, command.cwds, command.pathContext) &&
      !isRootItself(word, command) &&
      /^[/~$]|^\.\.(?:\/|$)/.test(word.text),
  );
}

function every(reason: string, names: string): Record<string, Check> {
  return Object.fromEntries(names.split(' ').map((name) => [name, always(reason)]));
}

function says({ words }: JudgedCommand, pattern: RegExp): boolean {
  return words.some(({ text }) => pattern.test(text));
}

function paths({ words }: JudgedCommand): ReadonlyArray<ExpandedWord> {
  return words.filter(({ text }) => !text.startsWith('-'));
}

function removes(command: JudgedCommand): string | null {
  if (says(command, /^--no-preserve-root$/)) return LOSS;
  const recursive = says(command, /^-[^-]*[rR]|^--recursive$|^--rec/);
  const grave = paths(command).some(
    (word) => isGrave(word, command.cwds, command.pathContext) || isGitFolder(word, command.cwds, command.pathContext),
  );
  const force =
    says(command, /^-[^-]*f|^--force$/) &&
    paths(command).some((word) =>
      command.cwds.some((cwd) => word.glob && isSystem(`${cwd}/${word.text}`, command.pathContext)),
    );
  return (recursive && grave) || force ? LOSS : null;
}

function finds(command: JudgedCommand): string | null {
  const deletes =
    says(command, /^-delete$/) ||
    command.words.some(
      ({ text }, at) =>
        /^-(?:exec|ok)/.test(text) &&
        (REMOVERS.test(command.words[at + 1]?.text ?? '') ||
          command.words.slice(at + 2, at + 4).some((word) => /\b(?:rm|shred|unlink)\s/.test(word.text))),
    );
  if (!deletes) return null;
  const until = command.words.findIndex(({ text }) => /^[-(!]/.test(text));
  const starts = command.words.slice(0, until);
  const outside = starts.some(
    (word) => isGrave(word, command.cwds, command.pathContext) && !isRootItself(word, command),
  );
  return outside ? LOSS : null;
}

/** Permissions of system files, permissions for everyone on a grave folder, and setuid programs. */
function opens(command: JudgedCommand, what: 'mode' | 'owner'): string | null {
  const [mode, ...targets] = command.words.filter(({ text }) => !text.startsWith('-') || /^-[rwxXst]+$/.test(text));
  const recursive = says(command, /^-[^-]*R|^--recursive$/);
  const setId = what === 'mode' && /^(?:[ugoa]*[+=][rwxXt]*s|0?[2467]\d{3}$)/.test(mode?.text ?? '');
  if (setId && (mode?.text.startsWith('0') !== true || mode.text.length > 4)) return OPEN;
  const graves = targets.some(
    (word) => isGrave(word, command.cwds, command.pathContext) && (recursive || !isRootItself(word, command)),
  );
  const system = targets.some((word) =>
    command.cwds.some((cwd) => isSystem(absolute(word.text, cwd), command.pathContext)),
  );
  return graves || system ? OPEN : null;
}

function isRootItself(word: ExpandedWord, { cwds, pathContext }: JudgedCommand): boolean {
  return cwds.some((cwd) => absolute(word.text, cwd).replace(/\/\.?$/, '') === pathContext.root);
}

function absolute(text: string, cwd: string): string {
  return text.startsWith('/') ? text : `${cwd}/${text}`;
}

/** Everything, the first process, one's own group. */
function kills({ words }: JudgedCommand): string | null {
  const targets = words.map(({ text }) => text);
  const first = targets[0] ?? '';
  const rest = /^-(?:s|n)$/.test(first)
    ? targets.slice(2)
    : /^-./.test(first) && first !== '--'
      ? targets.slice(1)
      : targets;
  if (/^-(?:l|L)$/.test(first)) return null;
  return rest.some((target) => /^(?:-1|1|0)$/.test(target)) ? DISK : null;
}

const SHARED = /^\+?(?:.*:)?(?:refs\/heads\/)?(?:main|master|trunk|develop|production|release(?:[/-].*)?)$/;

/** Rewriting other people's history is not allowed. */
function pushesOver(command: JudgedCommand): string | null {
  const at = command.words.findIndex(({ text }) => text === 'push');
  if (at < 0 || command.words.slice(0, at).some(({ text }) => /^[a-z]/.test(text) && text !== 'push')) return null;
  const words = command.words.slice(at + 1).map(({ text }) => text);
  const forced = words.some((text) => /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force|--mirror|--delete|-d)$/.test(text));
  const shared = words.some((text) => SHARED.test(text));
  const plus =
    words.some((text) => text.startsWith('+') && SHARED.test(text)) ||
    words.some((text) => /^:(?:main|master)$/.test(text));
  return (forced && shared) || plus || words.includes('--mirror') ? 'rewrites history that others share' : null;
}
