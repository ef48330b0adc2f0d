import { chance, pick, type Dice } from './dice.ts';

/** A configuration that may name the trap, in one of the many ways to spell it, or lead git elsewhere. Now and then a harmless one. */
export function configText(top: string, dice: Dice): string {
  const head = pick(HEADS, dice);
  const lines = Array.from({ length: 1 + dice.roll(2) }, () =>
    spelled(chance(0.5, dice) ? pick(SETTINGS.slice(0, DIRECT), dice) : pick(SETTINGS, dice), top, dice),
  );
  return `${head}${lines.join('')}${pick(['', '\n', '# end', '[x]\n'], dice)}`;
}

const HEADS = [
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
  '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
  '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n',
  '\u{feff}[core]\n\trepositoryformatversion = 0\n',
  '',
];

/** The first of the settings: by any of them a plain status or diff runs the trap. */
const DIRECT = 6;

/** Section, name, key, value. `TRAP` is the program, `TOP` the folder around everything. */
const SETTINGS: ReadonlyArray<readonly [string, string | null, string, string]> = [
  ['core', null, 'fsmonitor', 'TRAP'],
  ['diff', null, 'external', 'TRAP'],
  ['diff', 'x', 'command', 'TRAP'],
  ['diff', 'x', 'textconv', 'TRAP'],
  ['filter', 'x', 'clean', 'TRAP'],
  ['filter', 'x', 'process', 'TRAP'],
  ['core', null, 'fsmonitor', 'true'],
  ['core', null, 'hooksPath', 'TOP/ws/sub/hooks'],
  ['core', null, 'worktree', 'TOP/other'],
  ['core', null, 'worktree', '../..'],
  ['core', null, 'worktree', 'TOP'],
  ['core', null, 'excludesFile', 'TOP/home/letters'],
  ['core', null, 'attributesFile', 'TOP/home/letters'],
  ['core', null, 'alternateRefsCommand', 'TRAP'],
  ['core', null, 'gitProxy', 'TRAP'],
  ['core', null, 'pager', 'TRAP'],
  ['core', null, 'editor', 'TRAP'],
  ['pager', null, 'log', 'TRAP'],
  ['diff', 'y', 'textconv', 'sh -c TRAP'],
  ['diff', null, 'orderFile', 'TOP/home/letters'],
  ['diff', null, 'submodule', 'diff'],
  ['merge', 'x', 'driver', 'TRAP'],
  ['gpg', null, 'program', 'TRAP'],
  ['gpg', 'ssh', 'program', 'TRAP'],
  ['log', null, 'showSignature', 'true'],
  ['log', null, 'diffMerges', 'remerge'],
  ['format', null, 'pretty', '%G? %GS %h'],
  ['pretty', 'x', 'x', '%GG'],
  ['blame', null, 'ignoreRevsFile', 'TOP/home/letters'],
  ['mailmap', null, 'file', 'TOP/home/letters'],
  ['alias', null, 'whatchanged', '!TRAP'],
  ['alias', null, 'status', '!TRAP'],
  ['remote', 'o', 'promisor', 'true'],
  ['remote', 'o', 'url', 'ext::TRAP'],
  ['remote', 'o', 'uploadpack', 'TRAP'],
  ['extensions', null, 'partialClone', 'o'],
  ['include', null, 'path', 'TOP/ws/sub/more'],
  ['includeIf', 'gitdir:/', 'path', 'TOP/ws/sub/more'],
  ['trailer', 'x', 'command', 'TRAP'],
  ['tar', 'x', 'command', 'TRAP'],
  ['status', null, 'submoduleSummary', 'true'],
  ['submodule', null, 'recurse', 'true'],
  ['hook', 'x', 'command', 'TRAP'],
  ['help', null, 'browser', 'TRAP'],
  ['man', 'x', 'cmd', 'TRAP'],
  ['user', null, 'name', 'Harmless'],
  ['branch', 'main', 'remote', 'o'],
  ['diff', null, 'renames', 'true'],
];

function spelled([section, name, key, value]: (typeof SETTINGS)[number], top: string, dice: Dice): string {
  const text = value.replaceAll('TRAP', `${top}/trap`).replaceAll('TOP', top);
  const header = headerOf(caseOf(section, dice), name, dice);
  const written = chance(0.3, dice) ? `"${text}"` : chance(0.1, dice) ? text.replace(/(?<=.{3})/, '\\\n') : text;
  const equals = pick([' = ', '=', '\t=\t', ' =\t'], dice);
  const end = pick(['\n', '\r\n', ' ; note\n', ' # note\n', '\n\n'], dice);
  const between = pick(['\n\t', ' ', '\n', '\r\n  ', '\n# x = y\n'], dice);
  return `${header}${between}${caseOf(key, dice)}${equals}${written}${end}`;
}

/** Both ways to write a section with a name; the old one only knows small letters. */
function headerOf(section: string, name: string | null, dice: Dice): string {
  if (name === null) return `[${section}]`;
  return chance(0.2, dice) && /^\w+$/.test(name) ? `[${section}.${name}]` : `[${section} "${name}"]`;
}

function caseOf(text: string, dice: Dice): string {
  return pick([text, text, text.toLowerCase(), text.toUpperCase()], dice);
}
