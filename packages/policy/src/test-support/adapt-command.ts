/**
 * A gathered command with names of the project in place of its author's: files by their endings, folders, branches. What looks like neither
 * stays. `turn` chooses among several names, so that one command as it was found gives several.
 */
export function adaptCommand(command: string, turn: number): string {
  const isGit = /^git\b/.test(command);
  let at = turn;
  const next = (names: ReadonlyArray<string>): string => names[at++ % names.length] ?? 'a.txt';
  return command.replaceAll(WORD, (word: string, offset: number) => {
    if (offset === 0 || word.startsWith('-') || /^[|&;]|^\d/.test(word)) return word;
    const ending = /[^/]\.([A-Za-z]\w{0,4})$/.exec(word)?.[1]?.toLowerCase();
    const known = ending === undefined ? undefined : ENDINGS[ending];
    if (known !== undefined) return next(known);
    if (isGit) return BRANCHES.test(word) ? next(['main', 'HEAD', 'v1.0.0', 'topic']) : word;
    if (PLACEHOLDERS.test(word))
      return next(['a.txt', 'b.txt', 'README.md', 'data/names.txt', 'src/index.js', 'logs/app.log']);
    if (FOLDERS.test(word)) return next(['src', 'docs', 'data', '.', 'test']);
    return word;
  });
}

const WORD = /(?<=^|\s)[\w~./@%+-]+(?=\s|$)/g;
const BRANCHES = /^(?:origin\/\S+|upstream\/\S+|master|develop|dev|feature\S*|release\S*|v?\d+(?:\.\d+)+)$/;
/** Words that documents use for a file. */
const PLACEHOLDERS =
  /^(?:\.?\/|~\/)?(?:\S*\/)?(?:file(?:name)?\d?|myfile\d?|FILE\d?|input|log|messages|passwd|access_log|syslog|hosts|profile|foo|bar)$/;
const FOLDERS = /^(?:~|\/|\.\.)(?:\/?[\w.@+-]+)*\/?$|^(?:[\w.-]+\/)+$|^(?:dir(?:ectory)?\d?|folder|path|DIR)$/;

const TEXTS = ['a.txt', 'b.txt', 'data/names.txt'];
const ENDINGS: Readonly<Record<string, ReadonlyArray<string>>> = {
  txt: TEXTS,
  text: TEXTS,
  dat: TEXTS,
  data: TEXTS,
  list: TEXTS,
  out: TEXTS,
  md: ['README.md', 'docs/guide.md', 'CHANGELOG.md'],
  rst: ['README.md', 'docs/guide.md'],
  json: ['package.json', 'data/items.json', 'tsconfig.json'],
  js: ['src/index.js', 'test/index.test.js'],
  mjs: ['src/index.js', 'test/index.test.js'],
  ts: ['src/app.ts'],
  c: ['src/main.c'],
  cc: ['src/main.c'],
  cpp: ['src/main.c'],
  h: ['src/main.h'],
  py: ['src/tool.py'],
  sh: ['src/build.sh'],
  css: ['src/style.css'],
  html: ['docs/page.html'],
  htm: ['docs/page.html'],
  csv: ['data/list.csv'],
  yml: ['data/config.yml'],
  yaml: ['data/config.yml'],
  conf: ['data/config.yml', 'Makefile'],
  cfg: ['data/config.yml', 'Makefile'],
  ini: ['data/config.yml'],
  xml: ['data/feed.xml'],
  log: ['logs/app.log'],
};
