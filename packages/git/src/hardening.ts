import path from 'node:path';
import type { Variables } from '@attractor/system';
import { foldersOutside } from './git-path.ts';

/**
 * Keys that a repository could set to make git run a program, ask a person or leave the repository, overlook a file that changed, or tell
 * less of a commit than it holds; ours win.
 */
export const FIXED_CONFIG: ReadonlyArray<readonly [string, string]> = [
  ['core.checkStat', 'default'],
  ['core.trustCtime', 'true'],
  ['core.ignoreStat', 'false'],
  ['core.bigFileThreshold', '512m'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', ''],
  ['core.editor', ':'],
  ['core.askPass', ''],
  ['core.sshCommand', 'ssh'],
  ['core.alternateRefsCommand', '/bin/true'],
  ['sequence.editor', ':'],
  ['credential.helper', ''],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['tag.forceSignAnnotated', 'false'],
  ['push.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['log.showRoot', 'true'],
  ['log.diffMerges', 'separate'],
  ['i18n.logOutputEncoding', 'UTF-8'],
  ['init.templateDir', ''],
  ['safe.bareRepository', 'explicit'],
  ['protocol.ext.allow', 'never'],
  ['protocol.file.allow', 'user'],
  ['submodule.recurse', 'false'],
  ['status.submoduleSummary', 'false'],
  ['diff.submodule', 'short'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/**
 * Open families of keys that name a program: each one found in a repository's configuration is set to something harmless. Programs are
 * named by their full path: a bare name could be found in a folder of the repository.
 */
const PROGRAM_KEYS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^filter\..+\.(?:clean|smudge|process)$/i, ''],
  [/^filter\..+\.required$/i, 'false'],
  [/^diff\.external$/i, '/bin/true'],
  [/^diff\..+\.(?:command|textconv)$/i, '/bin/cat'],
  [/^merge\..+\.driver$/i, '/bin/false'],
  [/^trailer\..+\.(?:command|cmd)$/i, '/bin/true'],
  [/^gpg(?:\..+)?\.program$/i, '/bin/false'],
  [/^gpg\.ssh\.defaultkeycommand$/i, '/bin/false'],
  [/^hook\..+\.command$/i, '/bin/true'],
  [/^tar\..+\.command$/i, '/bin/false'],
  [/^interactive\.difffilter$/i, '/bin/cat'],
  [/^submodule\..+\.update$/i, 'none'],
  [/^credential\..+\.helper$/i, ''],
];

export function neutralised(keys: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> {
  return keys.flatMap((key) =>
    PROGRAM_KEYS.filter(([family]) => family.test(key)).map(([, value]) => [key, value] as const),
  );
}

/** Git uses the first value of these, which is the repository's: no later value can replace it. */
const REMOTE_PROGRAM = /^remote\..+\.(?:uploadpack|receivepack|vcs)$/i;

/** A key that names a program for talking to a remote; if there is one, nothing is fetched or pushed. */
export function remoteProgram(keys: ReadonlyArray<string>): string | null {
  return keys.find((key) => REMOTE_PROGRAM.test(key)) ?? null;
}

const KEPT = ['HOME', 'TMPDIR', 'LANG', 'SSH_AUTH_SOCK', 'XDG_CONFIG_HOME', 'SYSTEMROOT'];

export type GitSurroundings = {
  readonly host: Variables;
  readonly config: ReadonlyArray<readonly [string, string]>;
  /** Programs are not searched in here. */
  readonly outside: ReadonlyArray<string>;
  /** Git may contact other repositories. Otherwise, objects that a repository claims to miss are not fetched either. */
  readonly talks: boolean;
};

/** Below something that is no folder, so git finds nothing there and says nothing. */
const NO_FILE = '/dev/null/none';

/**
 * The environment of every git process: nothing inherited that begins with GIT_, no system or personal configuration, no prompts. No commit
 * stands for another one (`git replace`, grafts): what is pushed is the commit itself, so it is what must be read.
 */
export function gitVariables({ host, config, outside, talks }: GitSurroundings): Record<string, string> {
  const variables: Record<string, string> = {
    PATH: foldersOutside(host['PATH'] ?? '', outside).join(path.delimiter),
  };
  for (const name of KEPT) if (host[name] !== undefined) variables[name] = host[name];
  Object.assign(variables, {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: '',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_PROXY_COMMAND: '',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: NO_FILE,
    GIT_CONFIG_COUNT: String(config.length),
    ...(talks ? {} : { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' }),
  });
  config.forEach(([key, value], index) => {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return variables;
}
