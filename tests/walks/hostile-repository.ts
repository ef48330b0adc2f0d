import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A repository in which everything that can name a program names one that leaves a marker. `markers` lists which of them ran. Creating it
 * touches nothing outside `folder`.
 */
export type HostileRepository = {
  readonly root: string;
  /** A folder inside the repository that is full of programs with usual names; for PATH. */
  readonly shims: string;
  readonly markers: () => ReadonlyArray<string>;
  readonly git: (...args: ReadonlyArray<string>) => string;
};

/** A type of trap: what it puts into the repository. Further types are further rows. */
export type Trap = { readonly kind: string; readonly set: (place: TrapPlace) => void };

export type TrapPlace = {
  readonly root: string;
  /** The absolute path of a program that leaves the marker of this name. */
  readonly evil: (name: string) => string;
  readonly write: (file: string, content: string, mode?: number) => void;
  readonly git: (...args: ReadonlyArray<string>) => string;
};

export function makeHostileRepository(folder: string, traps: ReadonlyArray<Trap>): HostileRepository {
  const root = path.join(folder, 'repository');
  const [programs, markers] = [path.join(folder, 'programs'), path.join(folder, 'markers')];
  for (const made of [root, programs, markers]) mkdirSync(made, { recursive: true });
  const evil = (name: string): string => {
    const file = path.join(programs, name.replaceAll(/[^\w.-]/g, '_'));
    if (!existsSync(file)) writeFileSync(file, `#!/bin/sh\n: > '${markers}/${path.basename(file)}'\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const write = (file: string, content: string, mode = 0o644): void => {
    const full = path.join(root, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, content);
    chmodSync(full, mode);
  };
  const git = (...args: ReadonlyArray<string>): string => plainGit(root, args);
  write('answer.js', 'export const answer = 41;\n');
  write('package.json', '{ "type": "module" }\n');
  git('init', '-q', '-b', 'main');
  git('add', '--all');
  git('commit', '-q', '-m', 'first');
  for (const trap of traps) trap.set({ root, evil, write, git });
  for (const made of readdirSync(markers)) rmSync(path.join(markers, made));
  return { root, shims: path.join(root, 'bin'), git, markers: () => readdirSync(markers).toSorted() };
}

/** Git as a person has it, but without their configuration; used to build traps, before they are set. */
export function plainGit(cwd: string, args: ReadonlyArray<string>): string {
  const people = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid'];
  const env = { PATH: '/usr/bin:/bin', HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return execFileSync('git', [...people, ...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Keys whose value is the path of a program, or a command. */
export const PROGRAM_KEYS: ReadonlyArray<string> = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.pager',
  'core.editor',
  'core.askPass',
  'core.gitProxy',
  'core.alternateRefsCommand',
  'sequence.editor',
  'diff.external',
  'diff.evil.textconv',
  'diff.evil.command',
  'filter.plain.clean',
  'filter.plain.smudge',
  'filter.evil.process',
  'merge.evil.driver',
  'merge.tool',
  'mergetool.evil.cmd',
  'difftool.evil.cmd',
  'gpg.program',
  'gpg.openpgp.program',
  'gpg.ssh.program',
  'gpg.ssh.defaultKeyCommand',
  'gpg.x509.program',
  'remote.origin.uploadpack',
  'remote.origin.receivepack',
  'uploadpack.packObjectsHook',
  'interactive.diffFilter',
  'trailer.evil.command',
  'trailer.evil.cmd',
  'pager.log',
  'pager.diff',
  'pager.status',
  'tar.evil.command',
  'sendemail.sendmailCmd',
  'sendemail.smtpServer',
  'browser.evil.cmd',
  'man.evil.cmd',
  'instaweb.httpd',
  'guitool.evil.cmd',
  'imap.tunnel',
  'gc.recentObjectsHook',
  'hook.evil.command',
];

/** Keys whose value is a command behind an exclamation mark. */
const SHELL_KEYS: ReadonlyArray<string> = [
  'alias.status',
  'alias.log',
  'alias.st',
  'credential.helper',
  'credential.https://example.test.helper',
  'submodule.sub.update',
];

const SWITCHES: ReadonlyArray<readonly [string, string]> = [
  ['commit.gpgSign', 'true'],
  ['tag.gpgSign', 'true'],
  ['tag.forceSignAnnotated', 'true'],
  ['push.gpgSign', 'true'],
  ['log.showSignature', 'true'],
  ['filter.evil.required', 'true'],
  ['diff.ignoreSubmodules', 'none'],
  ['status.submoduleSummary', 'true'],
  ['submodule.recurse', 'true'],
  ['hook.evil.event', 'pre-commit'],
  ['protocol.ext.allow', 'always'],
  ['core.untrackedCache', 'true'],
];

const HOOKS = [
  'applypatch-msg',
  'pre-applypatch',
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-rebase',
  'post-checkout',
  'post-merge',
  'pre-push',
  'post-rewrite',
  'reference-transaction',
  'post-index-change',
  'pre-auto-gc',
  'fsmonitor-watchman',
  'pre-receive',
  'update',
  'post-receive',
];

const ATTRIBUTES = [
  '* filter=evil diff=evil merge=evil',
  '*.txt filter=plain diff=plain',
  '*.included filter=included diff=included',
  '',
].join('\n');

/** What git itself could be made to run; ordered so that later traps don't prevent earlier ones from being set. */
export const GIT_TRAPS: ReadonlyArray<Trap> = [
  {
    kind: 'attributes',
    set: ({ write, git }) => {
      write('.gitattributes', ATTRIBUTES);
      write('a.included', 'one\n');
      write('notes.txt', 'one\n');
      git('add', '--all');
      git('commit', '-q', '-m', 'attributes');
    },
  },
  {
    kind: 'an object that only its remote has',
    set: ({ root, evil, write, git }) => {
      write('far.txt', 'far away\n');
      git('add', 'far.txt');
      git('commit', '-q', '-m', 'far');
      git('update-ref', 'refs/tags/far', 'HEAD');
      write('far.txt', 'near\n');
      git('commit', '-q', '-a', '-m', 'near');
      const blob = git('rev-parse', 'far:far.txt').trim();
      rmSync(path.join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
      git('config', 'core.repositoryFormatVersion', '1');
      git('config', 'extensions.partialClone', 'far');
      git('config', 'remote.far.promisor', 'true');
      git('config', 'remote.far.url', root);
      git('config', 'remote.far.uploadpack', evil('lazy-fetch'));
    },
  },
  {
    kind: 'a submodule with traps of its own',
    set: ({ root, evil, write, git }) => {
      write('sub/file.txt', 'one\n');
      write('sub/.gitattributes', '* filter=sub diff=sub\n');
      const inner = path.join(root, 'sub');
      plainGit(inner, ['init', '-q', '-b', 'main']);
      plainGit(inner, ['add', '--all']);
      plainGit(inner, ['commit', '-q', '-m', 'sub']);
      write('.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n\tupdate = checkout\n');
      git('add', '.gitmodules', 'sub');
      git('commit', '-q', '-m', 'with a submodule');
      const programs = [
        ['core.fsmonitor', 'sub.fsmonitor'],
        ['filter.sub.clean', 'sub.clean'],
        ['filter.sub.process', 'sub.process'],
        ['diff.sub.textconv', 'sub.textconv'],
        ['diff.external', 'sub.external'],
      ] as const;
      for (const [key, name] of programs) plainGit(inner, ['config', key, evil(name)]);
      write('sub/file.txt', 'two!\n');
    },
  },
  {
    kind: 'hooks',
    set: ({ root, evil, write, git }) => {
      for (const hook of HOOKS) {
        const script = `#!/bin/sh\nexec '${evil(`hook-${hook}`)}'\n`;
        write(`.git/hooks/${hook}`, script, 0o755);
        write(`.githooks/${hook}`, script, 0o755);
        write(`.template/hooks/${hook}`, script, 0o755);
      }
      git('config', 'core.hooksPath', path.join(root, '.githooks'));
      git('config', 'init.templateDir', path.join(root, '.template'));
    },
  },
  {
    kind: 'a remote that is a command',
    set: ({ evil, git }) => {
      git('config', 'remote.origin.url', `ext::${evil('ext-remote')}`);
      git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
      git('config', 'remote.other.url', 'https://example.test/x.git');
      git('config', 'remote.other.vcs', 'evil');
      git('config', `url.ext::${evil('instead-of')}.insteadOf`, 'https://example.test/');
      git('config', 'branch.main.remote', 'origin');
      git('config', 'branch.main.merge', 'refs/heads/main');
    },
  },
  {
    kind: 'configuration that is included',
    set: ({ evil, write, git }) => {
      write(
        'included.gitconfig',
        `[filter "included"]\n\tclean = ${evil('included.clean')}\n\tsmudge = ${evil('included.smudge')}\n`,
      );
      write('.git/info/attributes', ATTRIBUTES);
      git('config', 'include.path', '../included.gitconfig');
    },
  },
  {
    kind: 'a bare repository inside',
    set: ({ root, evil }) => {
      const bare = path.join(root, 'docs', 'nested');
      mkdirSync(bare, { recursive: true });
      plainGit(bare, ['init', '-q', '--bare', '.']);
      const config = path.join(bare, 'config');
      for (const key of ['core.fsmonitor', 'core.pager', 'core.editor', 'diff.external'])
        plainGit(root, ['config', '--file', config, key, evil(`nested-${key}`)]);
      plainGit(root, ['config', '--file', config, 'core.bare', 'false']);
      plainGit(root, ['config', '--file', config, 'core.worktree', bare]);
    },
  },
  {
    kind: 'keys that name a program',
    set: ({ evil, git }) => {
      for (const [key, value] of SWITCHES) git('config', key, value);
      for (const key of SHELL_KEYS) git('config', key, `!${evil(key)}`);
      for (const key of PROGRAM_KEYS.toReversed()) git('config', key, evil(key));
    },
  },
];
