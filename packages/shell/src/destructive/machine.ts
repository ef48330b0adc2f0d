import type { Ground } from '../paths.ts';
import type { ExpandedWord } from '../words.ts';
import { isDevice, isGrave, isHistory, isSystem } from './places.ts';

export type Deed = {
  /** The name without its folder. */
  readonly name: string;
  readonly words: ReadonlyArray<ExpandedWord>;
  readonly cwds: ReadonlyArray<string>;
  readonly ground: Ground;
};

type Check = (deed: Deed) => string | null;

/** Why a command would destroy a disk, the system, the home folder or the workspace; null if it would not. */
export function destroysMachine(deed: Deed): string | null {
  if (/^(?:mkfs(?:\.|$)|newfs_)/.test(deed.name)) return DISK;
  return BY_NAME.get(deed.name)?.(deed) ?? null;
}

const DISK = 'destroys a disk or the running system';
const LOSS = 'destroys the machine, the home folder or the workspace';
const OPEN = 'exhausts or opens up the machine';

const always =
  (reason: string): Check =>
  () =>
    reason;

const DEEDS: Readonly<Record<string, Check>> = {
  rm: removes,
  srm: removes,
  shred: (deed) =>
    paths(deed).some((word) => isDevice(word.text) || isGrave(word, deed.cwds, deed.ground)) ? DISK : null,
  mv: (deed) =>
    paths(deed)
      .slice(0, -1)
      .some((word) => isGrave(word, deed.cwds, deed.ground) || isHistory(word, deed.cwds, deed.ground))
      ? LOSS
      : null,
  fd: (deed) => (says(deed, /^(?:-[xX]|--exec(?:-batch)?)$/) && says(deed, REMOVERS) && reaches(deed) ? LOSS : null),
  setfacl: (deed) => (reaches(deed) ? OPEN : null),
  rsync: (deed) =>
    says(deed, /^--delete|^--del$/) &&
    paths(deed)
      .slice(-1)
      .some((word) => isGrave(word, deed.cwds, deed.ground))
      ? LOSS
      : null,
  find: finds,
  chmod: (deed) => opens(deed, 'mode'),
  chown: (deed) => opens(deed, 'owner'),
  chgrp: (deed) => opens(deed, 'owner'),
  dd: (deed) => (deed.words.some(({ text }) => text.startsWith('of=') && isDevice(text.slice(3))) ? DISK : null),
  wipefs: (deed) => (paths(deed).length > 0 ? DISK : null),
  fdisk: (deed) => (says(deed, /^-(?:l|-list|V)/) ? null : DISK),
  parted: (deed) => (says(deed, /^-(?:l|-list|v)/) ? null : DISK),
  sfdisk: (deed) => (says(deed, /^-(?:l|d|-list|-dump)/) ? null : DISK),
  ...every(
    DISK,
    'cfdisk sgdisk gdisk blkdiscard mkswap mke2fs mkntfs mkdosfs scrub newfs cryptsetup lvremove vgremove pvremove pvcreate badblocks',
  ),
  ...every(DISK, 'reboot shutdown halt poweroff kexec killall5 telinit pivot_root'),
  init: (deed) => (says(deed, /^[0156sS]$/) ? DISK : null),
  systemctl: (deed) => {
    if (says(deed, /^(?:reboot|poweroff|halt|kexec|suspend|hibernate|rescue|emergency|isolate|default)$/)) return DISK;
    return says(deed, /^(?:stop|disable|mask)$/) && says(deed, WATCHMEN) ? OPEN : null;
  },
  diskutil: (deed) => (says(deed, /^(?:erase|partition|zero|secureErase|delete)/) ? DISK : null),
  mdadm: (deed) => (says(deed, /^--(?:zero-superblock|stop|remove|fail|create)$|^-S$/) ? DISK : null),
  dmsetup: (deed) => (says(deed, /^(?:remove|remove_all|wipe_table)$/) ? DISK : null),
  btrfs: (deed) => (says(deed, /^(?:delete|format)$/) ? DISK : null),
  loginctl: (deed) => (says(deed, /^(?:poweroff|reboot|halt|terminate-user|kill-user)$/) ? DISK : null),
  killall: (deed) => (says(deed, /^(?:init|systemd|launchd)$/) ? DISK : null),
  pkill: (deed) => (says(deed, /^(?:init|systemd|launchd)$/) ? DISK : null),
  zpool: (deed) => (says(deed, /^(?:destroy|labelclear)$/) ? DISK : null),
  zfs: (deed) => (says(deed, /^(?:destroy|rollback)$/) ? DISK : null),
  nvme: (deed) => (says(deed, /^(?:format|sanitize)$/) ? DISK : null),
  hdparm: (deed) => (says(deed, /security|^-y/i) ? DISK : null),
  umount: (deed) => (says(deed, /^(?:-a|--all|\/)$/) ? DISK : null),
  kill: kills,
  ...every(OPEN, 'swapoff insmod rmmod modprobe setenforce setcap aa-teardown iptables-restore ip6tables-restore'),
  iptables: (deed) => (says(deed, /^(?:-F|--flush|-P|-X)$/) ? OPEN : null),
  ip6tables: (deed) => (says(deed, /^(?:-F|--flush|-P|-X)$/) ? OPEN : null),
  nft: (deed) => (says(deed, /^flush$/) ? OPEN : null),
  ufw: (deed) => (says(deed, /^(?:disable|reset)$/) ? OPEN : null),
  sysctl: (deed) => (says(deed, /^-w$|=|^-p/) ? OPEN : null),
  mount: (deed) => (says(deed, /remount|^--r?bind$|(?:^|,)r?bind(?:,|$)/) ? OPEN : null),
  crontab: (deed) => (says(deed, /^-r$/) ? LOSS : null),
  git: pushesOver,
};

const BY_NAME: ReadonlyMap<string, Check> = new Map(Object.entries({ ...DEEDS, fdfind: DEEDS['fd'] ?? (() => null) }));

/** Services that keep others out. */
const WATCHMEN = /^(?:firewalld|ufw|iptables|nftables|apparmor|auditd|fail2ban|ssh|sshd)(?:\.service)?$/;

const REMOVERS = /(?:^|\/)(?:rm|shred|unlink|chmod|chown)$/;

/** Whether one of the words is a place whose loss is grave, other than the workspace itself. */
function reaches(deed: Deed): boolean {
  return paths(deed).some(
    (word) =>
      isGrave(word, deed.cwds, deed.ground) && !isRootItself(word, deed) && /^[/~$]|^\.\.(?:\/|$)/.test(word.text),
  );
}

function every(reason: string, names: string): Record<string, Check> {
  return Object.fromEntries(names.split(' ').map((name) => [name, always(reason)]));
}

function says({ words }: Deed, pattern: RegExp): boolean {
  return words.some(({ text }) => pattern.test(text));
}

function paths({ words }: Deed): ReadonlyArray<ExpandedWord> {
  return words.filter(({ text }) => !text.startsWith('-'));
}

function removes(deed: Deed): string | null {
  if (says(deed, /^--no-preserve-root$/)) return LOSS;
  const recursive = says(deed, /^-[^-]*[rR]|^--recursive$|^--rec/);
  const grave = paths(deed).some(
    (word) => isGrave(word, deed.cwds, deed.ground) || isHistory(word, deed.cwds, deed.ground),
  );
  const force =
    says(deed, /^-[^-]*f|^--force$/) &&
    paths(deed).some((word) => deed.cwds.some((cwd) => word.glob && isSystem(`${cwd}/${word.text}`, deed.ground)));
  return (recursive && grave) || force ? LOSS : null;
}

function finds(deed: Deed): string | null {
  const deletes =
    says(deed, /^-delete$/) ||
    deed.words.some(
      ({ text }, at) =>
        /^-(?:exec|ok)/.test(text) &&
        (REMOVERS.test(deed.words[at + 1]?.text ?? '') ||
          deed.words.slice(at + 2, at + 4).some((word) => /\b(?:rm|shred|unlink)\s/.test(word.text))),
    );
  if (!deletes) return null;
  const until = deed.words.findIndex(({ text }) => /^[-(!]/.test(text));
  const starts = deed.words.slice(0, until);
  const outside = starts.some((word) => isGrave(word, deed.cwds, deed.ground) && !isRootItself(word, deed));
  return outside ? LOSS : null;
}

/** Permissions of system files, permissions for everyone on a grave folder, and setuid programs. */
function opens(deed: Deed, what: 'mode' | 'owner'): string | null {
  const [mode, ...targets] = deed.words.filter(({ text }) => !text.startsWith('-') || /^-[rwxXst]+$/.test(text));
  const recursive = says(deed, /^-[^-]*R|^--recursive$/);
  const setId = what === 'mode' && /^(?:[ugoa]*[+=][rwxXt]*s|0?[2467]\d{3}$)/.test(mode?.text ?? '');
  if (setId && (mode?.text.startsWith('0') !== true || mode.text.length > 4)) return OPEN;
  const graves = targets.some(
    (word) => isGrave(word, deed.cwds, deed.ground) && (recursive || !isRootItself(word, deed)),
  );
  const system = targets.some((word) => deed.cwds.some((cwd) => isSystem(absolute(word.text, cwd), deed.ground)));
  return graves || system ? OPEN : null;
}

function isRootItself(word: ExpandedWord, { cwds, ground }: Deed): boolean {
  return cwds.some((cwd) => absolute(word.text, cwd).replace(/\/\.?$/, '') === ground.root);
}

function absolute(text: string, cwd: string): string {
  return text.startsWith('/') ? text : `${cwd}/${text}`;
}

/** Everything, the first process, one's own group. */
function kills({ words }: Deed): string | null {
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
function pushesOver(deed: Deed): string | null {
  const at = deed.words.findIndex(({ text }) => text === 'push');
  if (at < 0 || deed.words.slice(0, at).some(({ text }) => /^[a-z]/.test(text) && text !== 'push')) return null;
  const words = deed.words.slice(at + 1).map(({ text }) => text);
  const forced = words.some((text) => /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force|--mirror|--delete|-d)$/.test(text));
  const shared = words.some((text) => SHARED.test(text));
  const plus =
    words.some((text) => text.startsWith('+') && SHARED.test(text)) ||
    words.some((text) => /^:(?:main|master)$/.test(text));
  return (forced && shared) || plus || words.includes('--mirror') ? 'rewrites history that others share' : null;
}
