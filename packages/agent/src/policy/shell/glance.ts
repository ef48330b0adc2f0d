import { writesDoor } from './destructive/doors.ts';
import { factsOf } from './destructive/secrets.ts';
import { worsen, type Draft } from './draft.ts';
import { judgePipeline } from './flows.ts';
import { judgeCommand } from './judge-command.ts';
import type { Glance } from './survey.ts';
import type { State, Walk } from './walk-state.ts';
import { literal, unknown, type Spoken } from './words.ts';
import { unwrap } from './wrappers.ts';

/** What must be denied in a text that is too long or too intricate for the grammar. Nothing of it is ever allowed. */
export function glanceOver(glances: ReadonlyArray<Glance>, state: State, walk: Walk): void {
  walk.problems.push({ reason: 'is too long or too intricate to be read', part: walk.source.slice(0, 200) });
  if (BOMB.test(walk.source.slice(0, 100_000))) walk.drafts.push(bomb(state));
  let pipeline: ReadonlyArray<Draft>[] = [];
  let number = -1;
  for (const glance of glances) {
    if (glance.pipeline !== number) {
      if (pipeline.length > 1) judgePipeline(pipeline, walk);
      pipeline = [];
      number = glance.pipeline;
    }
    pipeline.push([glanceAt(glance, state, walk)]);
  }
  if (pipeline.length > 1) judgePipeline(pipeline, walk);
}

/** A command without any of these can't be one that must be denied. */
const SUSPECT =
  /[>$@~]|\/(?:dev|etc|proc|sys|usr|boot|var)|\.(?:env|ssh|git|aws)|--[dpysa]|\b(?:s?rm|shred|mv|rsync|find|ch(?:mod|own|grp|attr|root|sh|passwd|kconfig)|dd|mk\w+|newfs|wipefs|\w*disk\w*|parted|blkdiscard|cryptsetup|[lvp]v\w+|badblocks|reboot|shutdown|halt|poweroff|kexec|\w*kill\w*|telinit|init|pivot_root|systemctl|launchctl|loginctl|z(?:pool|fs)|nvme|hdparm|u?mount|swapoff|\w+mod|modprobe|setenforce|setcap|ip6?tables|nft|ufw|sysctl|crontab|git|user\w+|\w+user|groupadd|passwd|visudo|vipw|update|curl|wget|http\w*|xh|nc|n?c?at|netcat|socat|telnet|ssh\w*|scp|s?ftp|l?ftp|dig|nslookup|host|drill|ping6?|traceroute|mail\w*|sendmail|mutt|aws|gsutil|gcloud|az|rclone|s3cmd|gh|glab|websocat|aria2c|axel|whois|finger|env|printenv|set|export|declare|typeset|readonly|history|compgen|\w*sh|python[\d.]*|perl|ruby|node\w*|php|lua|osascript|deno|bun|tclsh|eval|source|exec|tee|cp|ln|install|sed|truncate|touch|ed|ex|vim?|nano|patch|nsenter|bwrap|ptrace|reptyr|xdotool|ydotool|wtype|docker|podman|tmux|screen|[sl]trace|gdb|lldb|attractor|claude|codex|gemini|openssl|tar|base64)\b/;

const NOTHING = { network: false, fetches: false, secret: false, interprets: false } as const;

const BOMB = /([\w:.]{1,20}) ?\(\) ?\{ ?\1 ?\| ?\1 ?&/;

function glanceAt(glance: Glance, state: State, walk: Walk): Draft {
  const { text } = glance;
  const suspect = SUSPECT.test(text);
  const all = glance.words.map(spoken);
  const from = all.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word.text));
  const { words } = unwrap(from < 0 ? [] : all.slice(from));
  const name = words[0]?.text ?? '';
  const draft: Draft = {
    text,
    words,
    assigns: [],
    cwds: state.cwds,
    via: null,
    stripped: false,
    targets: [],
    facts: suspect ? factsOf(name.slice(name.lastIndexOf('/') + 1), words.slice(1), text) : NOTHING,
    effect: 'unknown',
    reason: 'one of too many commands',
  };
  walk.drafts.push(draft);
  if (!suspect) return draft;
  judgeCommand(draft, { ground: walk.ground, moved: true, fed: false, brief: true });
  all.forEach((word, at) => {
    const target = /^\d*&?>>?\|?$/.test(word.text) ? all[at + 1] : undefined;
    const door = target === undefined ? null : writesDoor(target, state.cwds, walk.ground);
    if (door !== null) worsen(draft, 'destructive', door);
  });
  return draft;
}

function spoken(word: string): Spoken {
  return /[$`]/.test(word) ? unknown(word) : { ...literal(word), glob: /[*?[]/.test(word) };
}

function bomb(state: State): Draft {
  return {
    text: 'a function that keeps starting itself',
    words: [],
    assigns: [],
    cwds: state.cwds,
    via: null,
    stripped: false,
    targets: [],
    facts: NOTHING,
    effect: 'destructive',
    reason: 'exhausts the machine: a function that keeps starting itself',
  };
}
