import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { expect, it } from 'vitest';
import { namedFiles } from './named-files.ts';
import { runTexts } from './run-texts.ts';

const FILES = [
  'scripts/h.sh',
  'scripts/lib.sh',
  'tool/index.js',
  'package.json',
  'Makefile',
  'sub/scripts/h.sh',
  'a b.sh',
  'guards/__init__.py',
  'guards/check.py',
  'cmd/g/main.go',
  'cmd/g/part.go',
  'lib/rules.rb',
];

it.each([
  ['sh ./scripts/h.sh', ['scripts/h.sh']],
  ['./scripts/h.sh --fast', ['scripts/h.sh']],
  ['bash -c "FOO=1 scripts/h.sh && echo done"', ['scripts/h.sh']],
  ['"$CLAUDE_PROJECT_DIR"/scripts/h.sh', ['scripts/h.sh']],
  ['${ATTRACTOR_PROJECT_DIR}/scripts/h.sh', ['scripts/h.sh']],
  ['node --require=./tool/index.js -e 1', ['tool/index.js']],
  ['node tool', ['tool/index.js']],
  ['cat x|scripts/h.sh;(scripts/lib.sh)', ['scripts/h.sh', 'scripts/lib.sh']],
  ['for f in scripts/*.sh; do sh $f; done', ['scripts/h.sh', 'scripts/lib.sh']],
  ['npm run lint', ['package.json']],
  ['/usr/bin/make -s', ['Makefile']],
  ['cd scripts && sh h.sh', ['scripts/h.sh']],
  ['(cd sub/scripts; ./h.sh)', ['sub/scripts/h.sh']],
  ['env -C scripts sh lib.sh', ['scripts/lib.sh']],
  ['make -Ctool x', ['Makefile', 'tool/index.js']],
  ['node tool/index', ['tool/index.js']],
  ['node -r./tool/index.js -e 1', ['tool/index.js']],
  ['python3 -m guards.check', ['guards/__init__.py', 'guards/check.py']],
  ['ruby -r./lib/rules -e 1', ['lib/rules.rb']],
  ['go run ./cmd/g', ['cmd/g/main.go', 'cmd/g/part.go']],
  ['eslint guards', []],
  ['echo hello', []],
  ['/bin/sh -c true', []],
  ['cat ../outside /etc/hostname', []],
])('%s names %j', (command, expected) => {
  const root = makeFolder(Object.fromEntries(FILES.map((name) => [name, 'x'])));
  expect(namedFiles([command], { root })).toEqual(expected);
});

it('an absolute path and a folder that the command starts in count too', () => {
  const root = makeFolder(Object.fromEntries(FILES.map((name) => [name, 'x'])));
  expect(namedFiles([path.join(root, 'scripts/h.sh')], { root })).toEqual(['scripts/h.sh']);
  expect(namedFiles(['sh', 'scripts/h.sh'], { root, cwd: path.join(root, 'sub') })).toEqual([
    'scripts/h.sh',
    'sub/scripts/h.sh',
  ]);
});

it.each([
  ['hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "./scripts/h.sh"'],
  ['hooks: {Stop: [{hooks: [{type: command, command: scripts/h.sh}]}]}'],
  ['mcpServers:\n  - own:\n      command: sh\n      args: [scripts/h.sh]'],
  ['mcpServers:\n  - own:\n      command: sh\n      args:\n        - "$CLAUDE_PROJECT_DIR/scripts/h.sh"'],
])('the heads of agents and skills name files, too: %s', (fields) => {
  const root = makeFolder({ 'scripts/h.sh': '#!/bin/sh\n', 'other.sh': '' });
  const content = `---\nname: a\ndescription: other.sh\n${fields}\n---\nYou are A.\n`;
  expect(namedFiles(runTexts([{ path: '.claude/agents/a.md', content }]), { root })).toContain('scripts/h.sh');
  const plain = `---\nname: a\ndescription: scripts/h.sh\n---\nYou are A.\n`;
  expect(namedFiles(runTexts([{ path: '.claude/agents/a.md', content: plain }]), { root })).toEqual([]);
});

it.each([
  [
    'opencode.jsonc',
    '{ // ours\n"permission": { "bash": { "*": "ask" } }, /* "x" */ "mcp": { "a": { "command": ["sh", "scripts/h.sh"] }, } }',
  ],
  [
    '.codex/config.toml',
    '[shell_environment_policy]\nexclude = ["*_KEY"]\n[mcp_servers.a]\ncommand = "sh"\nargs = ["scripts/h.sh"]\n',
  ],
  [
    '.claude/settings.json',
    '\ufeff{"permissions":{"deny":["Read(*)"]},"hooks":{"Stop":[{"hooks":[{"command":"sh scripts/h.sh // x"}]}]}}',
  ],
])('a pattern in %s that is no part of a command names no file', (file, content) => {
  const root = makeFolder(Object.fromEntries([...FILES, 'README.md'].map((name) => [name, 'x'])));
  expect(namedFiles(runTexts([{ path: file, content }]), { root })).toEqual(['scripts/h.sh']);
  const broken = runTexts([{ path: file, content: `${content}\n]` }]);
  expect(namedFiles(broken, { root })).toContain('scripts/h.sh');
});
