import { chance, pick, type Dice } from './dice.ts';

/** A command that mostly reads, somewhere in the workspace. Whether it runs unasked is for the policy to say. */
export function gitCommand(place: string, dice: Dice): string {
  const at = `'${pick([place, place, place, place, '.', 'sub', 'tests/tree', 'tests/data', 'tests/mod/mod', 'sub/deep'], dice)}'`;
  const read = pick(chance(0.4, dice) ? ['status', 'diff', 'log -p', 'show', 'diff HEAD'] : READS, dice);
  return pick(FORMS, dice).replaceAll('AT', at).replaceAll('READ', read);
}

const FORMS = [
  'git READ',
  'git READ',
  'cd AT && git READ',
  'cd AT && git READ',
  'git -C AT READ',
  'git -C AT READ',
  'cd AT; git READ',
  'git --no-pager -C AT -C . READ',
  'cd sub && cd .. && git READ',
  '(cd AT && git READ)',
  'git READ | head -3',
  'cd AT && git READ && git status',
];

const READS = `
  status, status -s, status --porcelain=2 --branch, status -v, status --ignored, status -uall, diff, diff HEAD,
  diff --stat, diff --cached, diff HEAD~1 HEAD, diff -w, diff --word-diff, diff a.txt sub/b.txt, diff-index HEAD,
  diff-index -p HEAD, diff-files -p, diff-tree -p HEAD~1 HEAD, log, log -p, log --stat,
  log --oneline --graph --all, log -1 --format=%H, log -p -1 -- a.txt, log --follow -p a.txt, log -L1,1:a.txt,
  log --cc -p, log -m -p, log --format=%G?, log --pretty=x, log --show-signature, log --walk-reflogs,
  log -S changed, log --format=%(trailers), log --notes, show, show HEAD, show HEAD:a.txt, show v1, show --stat,
  show HEAD -- sub, whatchanged -1, reflog, reflog show main, rev-list --all, rev-list --objects --all,
  rev-list --format=%GS HEAD, shortlog -s HEAD, shortlog --group=format:%GS HEAD, shortlog --group=author HEAD,
  shortlog -ne HEAD, blame a.txt, blame -L1,1 sub/b.txt, annotate a.txt, grep one, grep -n two HEAD,
  grep --untracked t, ls-files, ls-files | xargs cat, ls-files -z | xargs -0 cat, ls-files -s, ls-files -o --exclude-standard, ls-files -m, ls-files --eol,
  ls-tree -r HEAD, cat-file -p HEAD, cat-file -t HEAD, cat-file -p HEAD:a.txt, rev-parse HEAD,
  rev-parse --show-toplevel, merge-base HEAD HEAD~1, describe --tags, describe --always --dirty,
  describe --contains HEAD, name-rev HEAD, show-ref, show-branch, for-each-ref, for-each-ref --format=%(refname),
  for-each-ref --sort=signature, for-each-ref --format=%(signature), for-each-ref --format=%(contents:signature),
  branch, branch -vv -a, branch --contains HEAD, tag, tag -l, tag -n, tag --format=%(signature), tag -v v1,
  verify-tag v1, remote, remote -v, remote get-url o, stash list, stash show -p, worktree list, worktree list -v,
  notes list, bisect log, config user.name, config --get core.bare, symbolic-ref HEAD, version, --version,
  check-ignore -v a.txt, check-attr -a -- a.txt, check-attr --all sub/b.txt, count-objects -v, cherry -v HEAD~1,
  range-diff HEAD~1 HEAD~1 HEAD, fsck, fsck --full, help, help -a, help log, submodule status, archive HEAD
`
  .split(/,\s/)
  .map((read) => read.trim());
