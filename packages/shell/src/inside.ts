import type { ExpandedWord } from './words.ts';

export type Inside = {
  readonly scripts: ReadonlyArray<string>;
  readonly commands: ReadonlyArray<ReadonlyArray<ExpandedWord>>;
};

/** Commands given as text or as words: `bash -c`, `eval`, `trap`, `env -S`, `find -exec`. */
export function insideOf(name: string, command: ReadonlyArray<ExpandedWord>): Inside {
  if (!HOLDERS.has(name)) return NOTHING;
  const words = command.slice(1);
  const executes = name === 'find' || name === 'fd' || name === 'fdfind';
  return { scripts: scriptsOf(name, words), commands: executes ? executedBy(words) : [] };
}

const SHELLS: ReadonlySet<string> = new Set('sh bash zsh dash ksh mksh ash fish'.split(' '));
const HOLDERS: ReadonlySet<string> = new Set([
  ...SHELLS,
  ...'find fd fdfind su runuser script flock eval trap emulate env watch alias'.split(' '),
]);
const NOTHING: Inside = { scripts: [], commands: [] };

function scriptsOf(name: string, words: ReadonlyArray<ExpandedWord>): ReadonlyArray<string> {
  if (SHELLS.has(name) || name === 'su' || name === 'runuser' || name === 'script' || name === 'flock')
    return after(words, /^-[a-zA-Z]*c$|^--command$/);
  if (name === 'eval') return [words.map(({ text }) => text).join(' ')];
  if (name === 'alias') return joined(words, /^[^=]+=["']?(.+?)["']?$/s);
  if (name === 'trap') return words.slice(0, 1).map(({ text }) => text);
  if (name === 'emulate') return after(words, /^-c$/);
  if (name === 'env')
    return [...after(words, /^-[a-z]*S$|^--split-string$/), ...joined(words, /^(?:-[a-z]*S|--split-string=)(.+)$/)];
  if (name === 'watch')
    return [
      words
        .filter(({ text }) => !text.startsWith('-'))
        .map(({ text }) => text)
        .join(' '),
    ];
  return [];
}

function after(words: ReadonlyArray<ExpandedWord>, option: RegExp): ReadonlyArray<string> {
  const at = words.findIndex(({ text }) => option.test(text));
  const text = at < 0 ? undefined : words.slice(at + 1).find((word) => !/^[-+][a-zA-Z]+$/.test(word.text));
  return text === undefined ? [] : [text.text];
}

function joined(words: ReadonlyArray<ExpandedWord>, option: RegExp): ReadonlyArray<string> {
  return words.flatMap(({ text }) => option.exec(text)?.[1] ?? []);
}

/** The words between `-exec` and `;` or `+`. */
function executedBy(words: ReadonlyArray<ExpandedWord>): ReadonlyArray<ReadonlyArray<ExpandedWord>> {
  return words.flatMap(({ text }, at) => {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(text)) return [];
    const rest = words.slice(at + 1);
    const end = rest.findIndex((word) => word.text === ';' || word.text === '+');
    const command = end < 0 ? rest : rest.slice(0, end);
    return command.length === 0 ? [] : [command];
  });
}
