import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A small project of many kinds of files, with a history: what gathered commands are given in place of their authors' files. */
export function fillProject(root: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const git = (...args: ReadonlyArray<string>): void => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.test'];
    execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' });
  };
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  git('commit', '-q', '--allow-empty', '-m', 'second');
  git('tag', 'v1.0.0');
  git('branch', 'topic');
}

const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Title\n\nSome text with foo and bar.\n',
  'CHANGELOG.md': '## 1.0.0\n\n- first\n',
  LICENSE: 'Do what you like.\n',
  Makefile: 'all:\n\techo made\n',
  'package.json': '{"name":"x","version":"1.0.0","scripts":{"test":"true"}}\n',
  'tsconfig.json': '{"compilerOptions":{}}\n',
  'a.txt': 'apple 3\npear 1\nplum 2\n',
  'b.txt': 'apple 3\npear 4\n',
  'src/index.js': 'export const foo = 1;\n// later: bar\n',
  'src/app.ts': 'export const app = "foo";\n',
  'src/main.c': '#include "main.h"\nint main(void) { return 0; }\n',
  'src/main.h': '#define MAIN 1\n',
  'src/tool.py': 'print("foo")\n',
  'src/build.sh': '#!/bin/sh\necho build\n',
  'src/style.css': 'a { color: red }\n',
  'docs/guide.md': '# Guide\n\nfoo\n',
  'docs/page.html': '<p>foo</p>\n',
  'data/names.txt': 'mary 10\nbob 20\nann 30\n',
  'data/list.csv': 'id,name\n1,foo\n2,bar\n',
  'data/items.json': '{"items":[{"id":1,"name":"foo"}]}\n',
  'data/config.yml': 'name: foo\nversion: 1\n',
  'data/feed.xml': '<feed><entry>foo</entry></feed>\n',
  'logs/app.log': '2026-01-01 INFO start\n2026-01-01 ERROR failed foo\n2026-01-02 WARN slow\n',
  'test/index.test.js': 'test("foo", () => {});\n',
};
