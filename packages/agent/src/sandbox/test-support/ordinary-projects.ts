/** A kind of project: how it is made, the folder in it that is the workspace, and what people do in one of its kind. */
export type OrdinaryProject = {
  readonly make?: string;
  readonly inside?: string;
  readonly commands: ReadonlyArray<string>;
};

export const PROJECTS: Readonly<Record<string, OrdinaryProject>> = {
  node: {
    make: `echo '{"name":"p","version":"1.0.0","scripts":{"test":"node test.js"}}' > package.json; echo 'console.log(process.cwd().length > 0)' > test.js; mkdir -p src node_modules/dep/bin node_modules/.bin; echo 'module.exports = 1' > node_modules/dep/index.js; ln -s ../dep/bin/x node_modules/.bin/x`,
    commands: [
      'ls -A node_modules/.bin',
      'node test.js',
      `node -e 'console.log(require("dep"), require("./package.json").name)'`,
      `node -e 'require("fs").writeFileSync("src/made.js", "1\\n")'`,
      'chmod 755 node_modules/.bin/.. && stat -c %a node_modules/dep',
      'git check-ignore node_modules; echo node_modules > .gitignore; git status --porcelain',
    ],
  },
  python: {
    make: 'mkdir -p pkg tests; echo "x = 1" > pkg/__init__.py; echo "from pkg import x; assert x == 1; print(x)" > tests/t.py',
    commands: [
      'PYTHONPATH=. python3 -B tests/t.py',
      `python3 -c 'import os; print(sorted(os.listdir(".")))'`,
      `python3 -c 'open("out.txt", "w").write("x")'`,
      'cp -r pkg other',
      'find . -name "*.py" | sort',
      `python3 -c 'import sys, json; print(json.dumps({"a": 1}), file=sys.stderr)'`,
    ],
  },
  go: {
    make: 'echo "module m" > go.mod; mkdir -p cmd/m internal/a; echo "package main" > cmd/m/main.go; echo "package a" > internal/a/a.go',
    commands: [
      'command -v go; echo $?',
      'grep -rl package . --include=*.go | sort',
      'touch go.sum && ls -A',
      'sed -i s/m/n/ go.mod && cat go.mod',
      'find . -name "*.go" -size -1k | sort',
      'mv internal/a internal/b && git status --porcelain -uall',
    ],
  },
  rust: {
    make: `mkdir -p src target/debug; echo 'fn main() {}' > src/main.rs; printf '[package]\\nname = "p"\\n' > Cargo.toml`,
    commands: [
      'ln -s src/main.rs link && cat link && readlink link',
      'echo /target > .gitignore && git status --porcelain',
      'touch target/debug/p && chmod 750 target/debug/p && stat -c %a target/debug/p',
      'sed -n 1p Cargo.toml',
      'tail -c 5 src/main.rs | od -c',
      'rm -r target && ls -A',
    ],
  },
  java: {
    make: 'mkdir -p src/main/java build; echo "class A {}" > src/main/java/A.java; echo "<project/>" > pom.xml',
    commands: [
      'tar cf a.tar src --mtime=@0 --owner=0 --group=0 && tar tf a.tar',
      'cksum a.tar',
      'mkdir -p build/classes && cp -p src/main/java/A.java build/classes/A.txt',
      'grep -c class src/main/java/A.java',
      'xargs -n1 echo < pom.xml',
      'du -a --apparent-size src/main/java | cut -f2',
    ],
  },
  c: {
    make: `printf 'all:\\n\\t@echo built > out\\n' > Makefile; printf 'int main(void) { return 3; }\\n' > main.c`,
    commands: [
      'make',
      'cat out',
      'cc -o app main.c && ./app; echo $?',
      'mv out bin && chmod 750 bin && stat -c "%a %s" bin',
      'make -n',
      'make nothing; echo $?',
    ],
  },
  monorepo: {
    make: `mkdir -p packages/b/src packages/c/src; echo '{"workspaces":["packages/*"]}' > package.json; touch packages/b/src/index.ts packages/c/src/index.ts; ln -s ../packages/b node_modules_b`,
    inside: 'packages/b',
    commands: [
      'git rev-parse --show-toplevel | wc -l; git rev-parse --show-prefix',
      'echo 1 > src/a.ts && git add src/a.ts && git commit -qm "from below" && git log --format=%H%s',
      'ls -A .. ../..',
      'cat ../../package.json',
      'git status --porcelain -uall',
      `node -e 'let at = process.cwd(), fs = require("fs"), n = 0; while (at !== "/") { n += fs.existsSync(at + "/package.json") ? 1 : 0; at = require("path").dirname(at); } console.log(n)'`,
    ],
  },
  'plain folder': {
    commands: [
      'ls -A',
      'git status; echo $?',
      'git init -q -b main',
      'git add a.txt && git commit -qm one && git log --format=%H',
      'git status --porcelain -uall',
      'git config user.name B && git config --get user.name',
    ],
  },
  worktree: {
    make: 'mkdir main && mv .git a.txt main && git -C main worktree add -q ../tree -b t',
    inside: 'tree',
    commands: [
      'cat .git | wc -l && git rev-parse --abbrev-ref HEAD',
      'echo 2 > f && git add f && git commit -qm two && git log --format=%H%s',
      'git worktree list | wc -l',
      'git switch -qc u && git branch --list',
      'git merge -q t && git status --porcelain',
      'git stash list; git tag v1 && git describe',
    ],
  },
  submodule: {
    make: 'git init -q -b main ../lib && git -C ../lib commit -q --allow-empty -m l && git -c protocol.file.allow=always submodule --quiet add ../lib sub && git commit -qm "with a module"',
    commands: [
      'git submodule status | cut -c42-',
      'echo 3 > sub/f && git -C sub add f && git -C sub commit -qm three && git -C sub log --format=%H%s',
      'git status --porcelain',
      'git add sub && git commit -qm moved && git log -1 --format=%H',
      'git submodule foreach --quiet pwd | wc -l',
      'git diff --submodule=log HEAD~1 --stat | tail -1',
    ],
  },
};

/** What people do in any of them, after the others. */
export const EVERYWHERE: ReadonlyArray<string> = [
  'ls -la --time-style=+ | cut -c1-10',
  'pwd | xargs basename',
  'mkdir -p made/deep && touch made/deep/{a,b} && ls made/deep',
  'cat <<E > here.txt\nsome $((1 + 2)) text\nE\ncat here.txt',
  'find . -maxdepth 2 -not -path "*/.git*" | sort',
  'du -s --apparent-size made | cut -f2',
  'echo x >> made/log; wc -l made/log',
  'sed -i "s/x/y/" made/log && cat made/log',
  'ln -s made shortcut && ls shortcut/',
  'ln made/log made/hard && stat -c %h made/hard',
  'cp -a made copy && diff -r made copy && echo same',
  'chmod 600 made/log && stat -c %a made/log',
  'mv copy moved && ls moved',
  'rm -r moved shortcut && ls -A made',
  'printf "b\\na\\n" | sort | tee made/sorted',
  'awk "{ print NR, \\$0 }" made/sorted',
  'grep -rn y made | sort',
  'umask && touch made/new && stat -c %a made/new',
  'tar czf - made | tar tzf - | sort',
  'echo out; echo err >&2; exit 7',
  'nothing-of-this-name; echo $?',
  'cat missing; echo $?',
  'cd made && pwd | xargs basename && ls',
  'X=1 bash -c "echo $X \\$X"',
  'for i in 1 2 3; do echo $i > made/n$i; done; cat made/n*',
  '(sleep 0.01; echo late) & wait',
  'mktemp -d >/dev/null && echo made',
  'test -w . && test -d made && echo writable',
  'head -c 3 /dev/zero | od -An -tx1',
  'touch -d @0 made/old && stat -c %Y made/old',
  'mkfifo made/pipe && (echo through > made/pipe &) && cat made/pipe && rm made/pipe',
  'env | grep -c "^PATH="',
  'true && false || echo either',
  'git log --oneline 2>/dev/null | wc -l; git status --porcelain -uall 2>/dev/null | sort',
];
