import { makeFolder } from '@attractor/base/testing';
import { expect, it } from 'vitest';
import { namedFiles } from './named-files.ts';

it.each<readonly [string, string, Readonly<Record<string, string>>]>([
  ['source', 'sh h.sh', { 'h.sh': 'source ./x.sh\n', 'x.sh': '' }],
  ['a dot', 'sh h.sh', { 'h.sh': '. lib/x.sh\n', 'lib/x.sh': '' }],
  ['its own folder', 'sh s/h.sh', { 's/h.sh': '. "$(dirname "$0")/x.sh"\n', 's/x.sh': '' }],
  ['a variable', 'sh s/h.sh', { 's/h.sh': 'DIR=$(cd "$(dirname "$0")" && pwd)\nsource "${DIR}/x.sh"\n', 's/x.sh': '' }],
  ['a program', 'sh h.sh', { 'h.sh': 'if ./x.sh; then exit 2; fi\n', 'x.sh': '' }],
  ['an interpreter', 'sh h.sh', { 'h.sh': 'echo a && node tools/x.mjs --flag\n', 'tools/x.mjs': '' }],
  ['a shebang', './h', { h: '#!/usr/bin/env bash\nsource x.sh\n', 'x.sh': '' }],
  ['require', 'node h.js', { 'h.js': "const x = require('./x');\n", 'x.js': '' }],
  ['import', 'node h.mjs', { 'h.mjs': "import { a } from './x.mjs';\n", 'x.mjs': '' }],
  ['an import for its effects', 'node h.mjs', { 'h.mjs': "import './x.mjs';\n", 'x.mjs': '' }],
  ['an import when it runs', 'node h.mjs', { 'h.mjs': "await import('./x.mjs');\n", 'x.mjs': '' }],
  ['a module', 'python3 h.py', { 'h.py': 'from x import check\n', 'x.py': '' }],
  ['a package', 'python3 -m g.h', { 'g/h.py': 'from g.lib import x\n', 'g/lib/x.py': '' }],
  ['a package around it', 'python3 g/h.py', { 'g/h.py': 'from . import x, y\n', 'g/x.py': '', 'g/y.py': '' }],
  ['a script of npm', 'npm run hook', { 'package.json': '{"scripts":{"hook":"node x.js"}}', 'x.js': '' }],
  ['a recipe', 'make hook', { Makefile: 'hook:\n\t@bash x.sh\n', 'x.sh': '' }],
  ['two steps', 'sh h.sh', { 'h.sh': 'node a.js\n', 'a.js': "require('./b')\nrequire('./x')", 'b.js': '', 'x.js': '' }],
])('a script that is loaded in turn is trusted with the one that loads it: by %s', (_how, command, files) => {
  const root = makeFolder({ ...files, 'README.md': 'x', 'other.sh': 'x' });
  const named = namedFiles([command], { root });
  expect(named).toEqual(Object.keys(files).toSorted());
});

it('files that load each other come to an end, and nothing outside the workspace is named', () => {
  const outside = makeFolder({ 'x.sh': '' });
  const root = makeFolder({
    'a.sh': `. ./b.sh\n. ${outside}/x.sh\n. ../../etc/profile\n`,
    'b.sh': '. ./a.sh\n. "$UNKNOWN"\n',
  });
  expect(namedFiles(['sh a.sh'], { root })).toEqual(['a.sh', 'b.sh']);
});
