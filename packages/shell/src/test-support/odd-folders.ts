import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FILE_READERS } from '../reads/files.ts';
import { SEARCHERS } from '../reads/search.ts';

/** Names that a program, or the shell, could take for something else than a file. */
const NAMES = [
  'a',
  'b',
  'c.txt',
  'd.txt',
  '-exec',
  '-o',
  '-i',
  '-f',
  '-R',
  '--files0-from=a',
  '--output=b',
  '@a',
  'x=y',
  'e f',
  '[a]',
  '*',
  '?',
  '!',
  '(',
  'g\nh',
  '.hidden',
  '.env',
  'key.pem',
  'y.gz',
  'y.zip',
  't.tgz',
];
const FOLDERS = ['', 'in/', 'in/deep/', 'docs/', '-d/'];

type Random = (limit: number) => number;

/** Fills a folder with files, links inside it, and links out of it to a file and to a folder. */
export function fillOddly(root: string, outside: string, random: Random): void {
  const put = (path: string, make: (path: string) => void): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    try {
      make(join(root, path));
    } catch {
      // A file of that name is there already.
    }
  };
  for (const folder of FOLDERS)
    for (let at = 0; at < 4; at += 1)
      put(`${folder}${NAMES[random(NAMES.length)]}`, (path) => writeFileSync(path, `text ${at}\n`, { flag: 'wx' }));
  for (let at = 0; at < 3; at += 1) {
    const to = [join(outside, 'letters.txt'), outside, '../a', 'deep'][random(4)] ?? outside;
    const name = ['z', 'l.txt', '-l', 'm', 'y.gz', 'y.zip'][random(6)];
    put(`${FOLDERS[random(FOLDERS.length)]}${name}`, (path) => symlinkSync(to, path));
  }
  // Above what these lead to is another folder than above them.
  for (const folder of ['', 'docs/', 'in/'])
    put(`${folder}k`, (path) => symlinkSync(join(root, ['in/deep', 'docs', '.'][random(3)] ?? '.'), path));
}

/** Puts a program of that name into the workspace, as a repository could. */
export function plantProgram(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), '#!/bin/sh\necho planted\n');
  chmodSync(join(folder, name), 0o755);
}

const READERS = Object.keys({ ...FILE_READERS, ...SEARCHERS });
const MORE = [
  'find %',
  'find % -type f',
  'find % -exec cat {} +',
  'find . -name "*.txt" | xargs cat',
  String.raw`find % -name "[]a-d]*" -exec cat {} \;`,
  String.raw`find % -name 'l\.txt' -exec cat {} +`,
  String.raw`find % -exec cat {} docs/{} \;`,
  'find % -name "[[:alpha:]]" | xargs cat',
  'gzip -cd %y',
  'unzip -l %y',
  'unzip -l "%"',
  'tar tf %t.tgz',
  'ls % | xargs cat',
  "awk '{print}' %",
  'sed -n 1p %',
  'for f in %; do cat "$f"; done',
  'for f in $(ls); do cat "$f"; done',
  'cat $(find . -type f)',
  'ls | while read -r f; do wc -l "$f"; done',
  'diff <(cat %) <(ls)',
  'echo "$(cat %)"',
  'cat < %',
  'printf "%s\\n" %',
  'echo %',
  'test -f % && cat %',
  'git ls-files | xargs cat',
  'jq . %',
  'zcat %',
  'cd % && cat *',
];
const OPTIONS = ['', '', '', '-r', '-R', '-L', '-rL', '-l', '-n 1', '--', '-c', '-a', '-1', '-s'];
const WORDS = [
  '*',
  './*',
  'in/*',
  'docs/*',
  '*/*',
  '*.txt',
  '[a-d]*',
  '?',
  'in',
  'docs',
  '.',
  'a b',
  'a',
  '-- *',
  '-d/*',
  'in/[!a]*',
  '"[a]"',
  '"*"',
  'in/deep/..',
  'k/..',
  'k/../*',
  'docs/k/../*',
  '../*',
  'docs/',
  'z',
  'docs/z/..',
  '{a,b}',
  '',
];

const PLACES = ['in', 'docs', 'in/deep', './-d', '.', 'k', 'docs/k'];

/** A reader with what it could be given in such a folder, or in one below: globs, folders, nothing at all. */
export function oddCommand(random: Random): string {
  const place = random(5) === 0 ? `cd ${PLACES[random(PLACES.length)]} && ` : '';
  return `${place}${oddRead(random)}`;
}

function oddRead(random: Random): string {
  const word = (): string => WORDS[random(WORDS.length)] ?? '*';
  if (random(3) === 0) return (MORE[random(MORE.length)] ?? 'ls').replaceAll('%', () => word());
  const name = READERS[random(READERS.length)] ?? 'cat';
  const pattern = name in SEARCHERS ? ' e' : '';
  return `${name} ${OPTIONS[random(OPTIONS.length)]}${pattern} ${word()} ${random(3) === 0 ? word() : ''}`
    .replaceAll(/ +/g, ' ')
    .trim();
}
