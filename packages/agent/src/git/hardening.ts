import type { Variables } from '../execution/environment-variables.ts';

/** Keys that a repository could set to make git run a program, ask a person or leave the repository; ours win. */
export const FIXED_CONFIG: ReadonlyArray<readonly [string, string]> = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'true'],
  ['core.askPass', ''],
  ['core.sshCommand', 'ssh'],
  ['core.alternateRefsCommand', 'true'],
  ['core.gitProxy', ''],
  ['sequence.editor', 'true'],
  ['credential.helper', ''],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['init.templateDir', ''],
  ['safe.bareRepository', 'explicit'],
  ['protocol.ext.allow', 'never'],
  ['protocol.file.allow', 'user'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/** Open families of keys that name a program: each one found in a repository's configuration is set to something harmless. */
const PROGRAM_KEYS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^filter\..+\.(?:clean|smudge|process)$/i, ''],
  [/^filter\..+\.required$/i, 'false'],
  [/^diff\.external$/i, 'true'],
  [/^diff\..+\.(?:command|textconv)$/i, 'cat'],
  [/^merge\..+\.driver$/i, 'false'],
  [/^trailer\..+\.(?:command|cmd)$/i, 'true'],
  [/^gpg(?:\..+)?\.program$/i, 'false'],
  [/^remote\..+\.uploadpack$/i, 'git-upload-pack'],
  [/^remote\..+\.receivepack$/i, 'git-receive-pack'],
  [/^credential\..+\.helper$/i, ''],
];

export function neutralised(keys: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> {
  return keys.flatMap((key) =>
    PROGRAM_KEYS.filter(([family]) => family.test(key)).map(([, value]) => [key, value] as const),
  );
}

const KEPT = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SSH_AUTH_SOCK', 'XDG_CONFIG_HOME', 'SYSTEMROOT'];

/** The environment of every git process: nothing inherited that begins with GIT_, no system or personal configuration, no prompts. */
export function gitVariables(
  host: Variables,
  config: ReadonlyArray<readonly [string, string]>,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of KEPT) if (host[name] !== undefined) variables[name] = host[name];
  Object.assign(variables, {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_CONFIG_COUNT: String(config.length),
  });
  config.forEach(([key, value], index) => {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return variables;
}
