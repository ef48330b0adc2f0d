import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { chance, type Dice, pick } from './dice.ts';

/** Programs and libraries that reads use, and in whose text the names of the variables stand that they look for. */
const FILES = [
  ...'bash ls grep sed awk find sort diff git tar gzip zcat jq file bc perl openssl curl make gcc date ps less man xxd yq env'
    .split(' ')
    .map((name) => `/usr/bin/${name}`),
  '/lib/x86_64-linux-gnu/libc.so.6',
  '/lib64/ld-linux-x86-64.so.2',
  '/usr/lib/x86_64-linux-gnu/libcrypto.so.3',
];

/** Every text of these files that could be the name of a variable, and names that are known to be obeyed. */
export function namesInPrograms(): ReadonlyArray<string> {
  const found = FILES.filter((file) => existsSync(file)).flatMap((file) => [
    ...(readFileSync(realpathSync(file), 'latin1').match(/(?<=\0)[A-Z_][A-Z0-9_]{2,40}(?=\0)/g) ?? []),
  ]);
  return [...new Set([...found, ...OBEYED])].filter((name) => !KEPT.has(name));
}

const OBEYED =
  'LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT BASH_ENV ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND CDPATH GIT_DIR GIT_EXTERNAL_DIFF GIT_PAGER GIT_SSH_COMMAND GIT_CONFIG_GLOBAL GIT_EXEC_PATH PAGER EDITOR LESSOPEN NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONSTARTUP PYTHONWARNINGS PYTHONHOME PIP_PYTHON PERL5OPT PERL5LIB RUBYOPT JAVA_TOOL_OPTIONS JAVA_HOME OPENSSL_CONF RIPGREP_CONFIG_PATH AWKPATH BC_ENV_ARGS MAKEFLAGS GCC_EXEC_PREFIX XDG_CONFIG_HOME npm_config_node_options VIRTUAL_ENV TAR_OPTIONS MANPAGER MAGIC GCONV_PATH LOCPATH TZ LC_ALL'.split(
    ' ',
  );

/** Without these no command is what it seems; what they may be is judged elsewhere. */
const KEPT: ReadonlySet<string> = new Set(['PATH', 'HOME', 'SHELL', 'PWD']);

/** A person's environment in which variables of all kinds lead to a trap in the workspace. */
export function hostileVariables(
  names: ReadonlyArray<string>,
  { ws, share, dice }: { readonly ws: string; readonly share: number; readonly dice: Dice },
): Readonly<Record<string, string>> {
  const trap = join(ws, 'trap/run');
  const values = [
    trap,
    join(ws, 'trap'),
    './trap/run',
    'trap',
    `${join(ws, 'trap/lib.so')}:/usr/lib`,
    `/usr/lib:${join(ws, 'trap')}`,
    `|${trap} %s`,
    `--require ${trap}`,
    `-f ${trap}`,
    `-I${join(ws, 'trap')}`,
    `-javaagent:${trap}`,
    '1',
    'true',
  ];
  return Object.fromEntries(names.flatMap((name) => (chance(share, dice) ? [[name, pick(values, dice)]] : [])));
}
