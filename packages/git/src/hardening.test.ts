import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { findGit, foldersOutside } from './git-path.ts';
import { runGit } from './run-git.ts';

const ada = { name: 'Ada', email: 'ada@example.invalid' };
const HOST = { PATH: '/usr/bin:/bin', HOME: '/nowhere' };

/** What a repository writes, and what git makes of it in the end. */
const EFFECTIVE: ReadonlyArray<readonly [key: string, written: string, effective: string]> = [
  ['core.checkstat', 'minimal', 'default'],
  ['core.trustctime', 'false', 'true'],
  ['core.ignorestat', 'true', 'false'],
  ['core.bigfilethreshold', '1', '512m'],
  ['core.fsmonitor', 'evil', 'false'],
  ['core.hookspath', 'evil', '/dev/null'],
  ['core.pager', 'evil', ''],
  ['core.editor', 'evil', ':'],
  ['core.askpass', 'evil', ''],
  ['core.sshcommand', 'evil', 'ssh'],
  ['core.alternaterefscommand', 'evil', '/bin/true'],
  ['sequence.editor', 'evil', ':'],
  ['credential.helper', '!evil', ''],
  ['commit.gpgsign', 'true', 'false'],
  ['tag.gpgsign', 'true', 'false'],
  ['tag.forcesignannotated', 'true', 'false'],
  ['push.gpgsign', 'true', 'false'],
  ['log.showsignature', 'true', 'false'],
  ['log.diffmerges', 'none', 'separate'],
  ['i18n.logoutputencoding', 'UTF-16', 'UTF-8'],
  ['init.templatedir', 'evil', ''],
  ['safe.barerepository', 'all', 'explicit'],
  ['protocol.ext.allow', 'always', 'never'],
  ['protocol.file.allow', 'always', 'user'],
  ['submodule.recurse', 'true', 'false'],
  ['status.submodulesummary', 'true', 'false'],
  ['diff.submodule', 'diff', 'short'],
  ['fetch.recursesubmodules', 'true', 'false'],
  ['push.recursesubmodules', 'on-demand', 'no'],
  ['gc.auto', '1', '0'],
  ['maintenance.auto', 'true', 'false'],
  ['filter.evil.clean', 'evil', ''],
  ['filter.evil.smudge', 'evil', ''],
  ['filter.evil.process', 'evil', ''],
  ['filter.evil.required', 'true', 'false'],
  ['diff.external', 'evil', '/bin/true'],
  ['diff.evil.command', 'evil', '/bin/cat'],
  ['diff.evil.textconv', 'evil', '/bin/cat'],
  ['merge.evil.driver', 'evil', '/bin/false'],
  ['trailer.evil.command', 'evil', '/bin/true'],
  ['trailer.evil.cmd', 'evil', '/bin/true'],
  ['gpg.program', 'evil', '/bin/false'],
  ['gpg.openpgp.program', 'evil', '/bin/false'],
  ['gpg.ssh.program', 'evil', '/bin/false'],
  ['gpg.ssh.defaultkeycommand', 'evil', '/bin/false'],
  ['hook.evil.command', 'evil', '/bin/true'],
  ['tar.evil.command', 'evil', '/bin/false'],
  ['interactive.difffilter', 'evil', '/bin/cat'],
  ['submodule.evil.update', '!evil', 'none'],
  ['credential.https://example.test.helper', '!evil', ''],
];

describe('what git is told', () => {
  it('is a value of ours for each key by which a repository could make it run or reach something', async () => {
    const cwd = repository();
    for (const [key, written] of EFFECTIVE) configure(cwd, key, written);
    const listed = await runGit(['look'], { cwd, host: HOST, config: { 'alias.look': '!git config --list -z' } });
    const values = new Map(listed.stdout.split('\0').map((entry) => split(entry, '\n')));
    expect(EFFECTIVE.map(([key]) => [key, values.get(key)])).toEqual(EFFECTIVE.map(([key, , value]) => [key, value]));
  });

  it('has in its environment what is named here and nothing else of ours', async () => {
    const kept = {
      HOME: '/nowhere',
      LANG: 'C',
      TMPDIR: '/tmp',
      SSH_AUTH_SOCK: '/nowhere/agent',
      XDG_CONFIG_HOME: '/x',
    };
    const host = {
      ...kept,
      PATH: '/usr/bin:/bin:relative',
      GIT_DIR: '/elsewhere',
      GIT_SSH_COMMAND: 'evil',
      GIT_EXTERNAL_DIFF: 'evil',
      GIT_PROXY_COMMAND: 'evil',
      GIT_ASKPASS: 'evil',
      SSH_ASKPASS: 'evil',
      GIT_CONFIG_PARAMETERS: "'core.pager=evil'",
      EDITOR: 'evil',
      PAGER: 'evil',
      OPENAI_API_KEY: 'sk-planted',
      LD_PRELOAD: 'evil',
    };
    const asked = await runGit(['look'], { cwd: repository(), host, config: { 'alias.look': '!/usr/bin/env -0' } });
    const all = asked.stdout.split('\0').filter((entry) => entry !== '');
    const given = Object.fromEntries(all.map((entry) => split(entry, '=')).filter(([name]) => !OF_GIT.test(name)));
    const { PATH = '', ...rest } = given;
    expect(PATH.split(':')).not.toContain('relative');
    expect(rest).toEqual({
      ...kept,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_PAGER: 'cat',
      GIT_EDITOR: ':',
      GIT_SEQUENCE_EDITOR: ':',
      GIT_ASKPASS: '',
      SSH_ASKPASS: '',
      GIT_PROXY_COMMAND: '',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_GRAFT_FILE: '/dev/null/none',
      GIT_ALLOW_PROTOCOL: '',
      GIT_NO_LAZY_FETCH: '1',
    });
  });
});

/** What git and the shell set for the programs they start, and the numbered configuration. */
const OF_GIT =
  /^(?:GIT_CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+)|GIT_PREFIX|GIT_EXEC_PATH|GIT_WORK_TREE|GIT_DIR|PWD|OLDPWD|SHLVL|_)$/;

type Trap = {
  /** `EVIL` stands for a program that leaves a marker, `SITE` for a server that wants to know who asks. */
  readonly config: Readonly<Record<string, string>>;
  readonly attributes?: string;
  readonly args: ReadonlyArray<string>;
};

/** One at a time: beside others, the refusal of one would keep git from ever meeting the next. */
const TRAPS: Readonly<Record<string, Trap>> = {
  'core.fsmonitor': { config: { 'core.fsmonitor': 'EVIL' }, args: ['status'] },
  'core.hooksPath': { config: { 'core.hooksPath': 'HOOKS' }, args: ['commit', '--allow-empty', '-m', 'x'] },
  'core.editor': { config: { 'core.editor': 'EVIL' }, args: ['commit', '--amend'] },
  'sequence.editor': { config: { 'sequence.editor': 'EVIL' }, args: ['rebase', '-i', 'HEAD~1'] },
  'core.sshCommand': { config: { 'core.sshCommand': 'EVIL' }, args: ['ls-remote', 'ssh://127.0.0.1:1/x'] },
  'core.gitProxy': { config: { 'core.gitProxy': 'EVIL' }, args: ['ls-remote', 'git://127.0.0.1:1/x'] },
  'core.askPass': { config: { 'core.askPass': 'EVIL' }, args: ['ls-remote', 'SITE'] },
  'credential.helper': { config: { 'credential.helper': '!EVIL' }, args: ['ls-remote', 'SITE'] },
  'credential of one site': { config: { 'credential.SITE.helper': '!EVIL' }, args: ['ls-remote', 'SITE'] },
  'commit.gpgSign': {
    config: { 'commit.gpgSign': 'true', 'gpg.program': 'EVIL' },
    args: ['commit', '--allow-empty', '-m', 'x'],
  },
  'tag.gpgSign': { config: { 'tag.gpgSign': 'true', 'gpg.program': 'EVIL' }, args: ['tag', '-a', 'v1', '-m', 'v1'] },
  'gpg.program': { config: { 'gpg.program': 'EVIL' }, args: ['tag', '-s', '-u', 'ada', 'v1', '-m', 'v1'] },
  'gpg.ssh.defaultKeyCommand': {
    config: { 'gpg.format': 'ssh', 'gpg.ssh.defaultKeyCommand': 'EVIL' },
    args: ['tag', '-s', 'v1', '-m', 'v1'],
  },
  'protocol.ext.allow': { config: { 'protocol.ext.allow': 'always' }, args: ['ls-remote', 'ext::EVIL'] },
  'diff.external': { config: { 'diff.external': 'EVIL' }, args: ['diff', 'HEAD~1'] },
  'diff.evil.command': { config: { 'diff.evil.command': 'EVIL' }, attributes: 'diff=evil', args: ['diff', 'HEAD~1'] },
  'diff.evil.textconv': { config: { 'diff.evil.textconv': 'EVIL' }, attributes: 'diff=evil', args: ['blame', 'a.txt'] },
  'filter.evil.clean': { config: { 'filter.evil.clean': 'EVIL' }, attributes: 'filter=evil', args: ['add', 'a.txt'] },
  'filter.evil.smudge': {
    config: { 'filter.evil.smudge': 'EVIL' },
    attributes: 'filter=evil',
    args: ['checkout', '--', 'a.txt'],
  },
  'filter.evil.process': {
    config: { 'filter.evil.process': 'EVIL' },
    attributes: 'filter=evil',
    args: ['add', 'a.txt'],
  },
  'a filter, by read-tree': {
    config: { 'filter.evil.smudge': 'EVIL' },
    attributes: 'filter=evil',
    args: ['read-tree', '--reset', '-u', 'side'],
  },
  'merge.evil.driver': { config: { 'merge.evil.driver': 'EVIL' }, attributes: 'merge=evil', args: ['merge', 'side'] },
  'trailer.evil.cmd': {
    config: { 'trailer.evil.key': 'evil', 'trailer.evil.cmd': 'EVIL' },
    args: ['commit', '--allow-empty', '-m', 'x', '--trailer', 'evil: 1'],
  },
  'tar.evil.command': { config: { 'tar.evil.command': 'EVIL' }, args: ['archive', '--format=evil', 'HEAD'] },
  'remote.origin.uploadpack': {
    config: { 'remote.origin.url': '.', 'remote.origin.uploadpack': 'EVIL' },
    args: ['fetch', 'origin'],
  },
  'remote.origin.receivepack': {
    config: { 'remote.origin.url': '.', 'remote.origin.receivepack': 'EVIL' },
    args: ['push', 'origin', 'main'],
  },
};

describe('a program that a repository names', () => {
  it.each(Object.entries(TRAPS))('by %s alone is run by git, and not by ours', async (_name, trap) => {
    const site = JSON.stringify(trap).includes('SITE') ? await siteThatAsks() : '';
    const [theirs, ours] = [place(trap, site), place(trap, site)];
    await plainly(theirs.cwd, theirs.args);
    expect(existsSync(theirs.marker)).toBe(true);
    await runGit(ours.args, { cwd: ours.cwd, host: HOST, author: ada, timeoutMs: 600_000 });
    expect(existsSync(ours.marker)).toBe(false);
  });

  it('is not looked for in hooks that a template would bring', async () => {
    const hooks = makeFolder({ 'hooks/pre-commit': '#!/bin/sh\n' });
    const cwd = repository();
    configure(cwd, 'init.templateDir', hooks);
    mkdirSync(path.join(cwd, 'inner'));
    await runGit(['init', '-q'], { cwd: path.join(cwd, 'inner'), host: HOST });
    expect(existsSync(path.join(cwd, 'inner/.git/hooks'))).toBe(false);
  });
});

describe('a submodule', () => {
  it('whose own configuration names a filter is compared without looking into it', async () => {
    const [cwd, marker] = [repository(), path.join(makeFolder(), 'marker')];
    cpSync(template, path.join(cwd, 'sub'), { recursive: true });
    for (const args of [
      ['add', 'sub'],
      ['commit', '-q', '-m', 'sub'],
    ])
      await plainly(cwd, args);
    const inner = path.join(cwd, 'sub');
    configure(inner, 'filter.evil.clean', `touch ${marker}; cat`);
    writeFileSync(path.join(inner, '.git/info/attributes'), '* filter=evil\n');
    await runGit(['status'], { cwd, host: HOST });
    expect(existsSync(marker)).toBe(false);
    await plainly(cwd, ['status']);
    expect(existsSync(marker)).toBe(true);
  });

  it('is not entered to show its change, whatever its own configuration would have run there', async () => {
    const [cwd, marker] = [repository(), path.join(makeFolder(), 'marker')];
    const inner = path.join(cwd, 'sub');
    cpSync(template, inner, { recursive: true });
    await plainly(cwd, ['add', 'sub']);
    await plainly(cwd, ['commit', '-q', '-m', 'sub']);
    await plainly(inner, ['checkout', '-q', 'side']);
    const evil = path.join(makeFolder(), 'evil');
    writeFileSync(evil, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    configure(inner, 'diff.external', evil);
    configure(cwd, 'diff.submodule', 'diff');
    const shown = await runGit(['diff'], { cwd, host: HOST });
    expect([shown.stdout.includes('Subproject commit'), existsSync(marker)]).toEqual([true, false]);
    await plainly(cwd, ['diff']);
    expect(existsSync(marker)).toBe(true);
  });

  it('is one of too many: git does not run where nobody could look through them first', async () => {
    const cwd = repository();
    const names = Array.from({ length: 201 }, (_, index) => `s${index}`);
    for (const name of names) mkdirSync(path.join(cwd, name, '.git'), { recursive: true });
    const stdin = names.map((name) => `160000 ${'1'.repeat(40)} 0\t${name}\n`).join('');
    await runGit(['update-index', '--index-info'], { cwd, host: HOST, stdin });
    const refused = await runGit(['checkout', 'side'], { cwd, host: HOST });
    expect(refused).toMatchObject({ failure: 'not_started', stderr: expect.stringContaining('too many') });
  });
});

describe('the folders in which programs are looked for', () => {
  it('are absolute, and none leads into the repository, by its name or by a link', () => {
    const [cwd, elsewhere] = [repository(), makeFolder()];
    mkdirSync(path.join(cwd, 'bin'));
    writeFileSync(path.join(cwd, 'bin/git'), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync(path.join(cwd, 'bin'), path.join(elsewhere, 'folder'));
    mkdirSync(path.join(elsewhere, 'bin'));
    symlinkSync(path.join(cwd, 'bin/git'), path.join(elsewhere, 'bin/git'));
    const search = [`${cwd}/bin`, `${elsewhere}/folder`, `${elsewhere}/bin`, '.', 'bin', '', '/usr/bin'].join(':');
    expect(foldersOutside(search, [cwd])).toEqual([`${elsewhere}/bin`, '/usr/bin']);
    expect(findGit(search, [cwd])).toBe('/usr/bin/git');
  });
});

type Place = { readonly cwd: string; readonly args: ReadonlyArray<string>; readonly marker: string };

function place({ config, attributes, args }: Trap, site: string): Place {
  const cwd = repository();
  const [evil, marker] = [path.join(makeFolder(), 'evil'), path.join(makeFolder(), 'marker')];
  writeFileSync(evil, `#!/bin/sh\n: > '${marker}'\n`);
  chmodSync(evil, 0o755);
  const hooks = makeFolder();
  cpSync(evil, path.join(hooks, 'pre-commit'));
  const filled = (text: string): string =>
    text.replaceAll('EVIL', evil).replaceAll('HOOKS', hooks).replaceAll('SITE', site);
  for (const [key, value] of Object.entries(config)) configure(cwd, filled(key), filled(value));
  if (attributes !== undefined) writeFileSync(path.join(cwd, '.git/info/attributes'), `a.txt ${attributes}\n`);
  return { cwd, args: args.map(filled), marker };
}

let template = '';

beforeAll(() => {
  template = mkdtempSync(path.join(tmpdir(), 'agent-test-'));
  const steps = [
    ['init', '-q', '-b', 'main', '--template='],
    ['commit', '-q', '--allow-empty', '-m', 'first'],
    ['add', 'a.txt'],
    ['commit', '-q', '-m', 'second'],
    ['checkout', '-q', '-b', 'side', 'HEAD~1'],
    ['add', 'a.txt'],
    ['commit', '-q', '-m', 'side'],
    ['checkout', '-q', 'main'],
  ];
  for (const args of steps) {
    if (args[0] === 'add') writeFileSync(path.join(template, 'a.txt'), `${args.join()} ${Math.random()}\n`);
    expect(spawnSync('git', args, { cwd: template, env: { ...HOST, ...PERSON } }).status).toBe(0);
  }
  mkdirSync(path.join(template, '.git/info'), { recursive: true });
});

afterAll(() => rmSync(template, { recursive: true, force: true }));

/** Two commits on `main`, one on `side` that collides with the second. Files are newer than git remembers: it looks into them. */
function repository(): string {
  const cwd = makeFolder();
  cpSync(template, cwd, { recursive: true });
  return cwd;
}

const PERSON = {
  GIT_AUTHOR_NAME: ada.name,
  GIT_AUTHOR_EMAIL: ada.email,
  GIT_COMMITTER_NAME: ada.name,
  GIT_COMMITTER_EMAIL: ada.email,
};

/** Git as a person has it, with none of their configuration. */
async function plainly(cwd: string, args: ReadonlyArray<string>): Promise<void> {
  const env = { ...HOST, ...PERSON, GIT_TERMINAL_PROMPT: '0' };
  const child = spawn('git', args, { cwd, env, stdio: 'ignore', timeout: 600_000 });
  await once(child, 'close');
}

/** The end of the file wins over what stands before it. */
function configure(cwd: string, key: string, value: string): void {
  const section = key.slice(0, key.indexOf('.'));
  const name = key.slice(key.lastIndexOf('.') + 1);
  const below = key.slice(section.length + 1, -name.length - 1);
  const head = below === '' ? `[${section}]` : `[${section} "${below}"]`;
  appendFileSync(path.join(cwd, '.git/config'), `${head}\n\t${name} = "${value}"\n`);
}

function split(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

async function siteThatAsks(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}
