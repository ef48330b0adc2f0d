import { execFile, type ExecFileException } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';

/** One call of the `gh` program: its own arguments, its own small environment, never inside the repository. */
export type GhCall = {
  readonly program: string;
  readonly args: ReadonlyArray<string>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
};

export type GhAnswer = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 16 << 20;

/** Never rejects. */
export function callGh({ program, args, cwd, env, stdin }: GhCall): Promise<GhAnswer> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      { env, cwd, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, killSignal: 'SIGKILL' },
      (error, stdout, stderr) =>
        resolve(error === null ? { exitCode: 0, stdout, stderr } : failed(error, stdout, stderr)),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin ?? '');
  });
}

function failed(error: ExecFileException, stdout: string, stderr: string): GhAnswer {
  const exitCode = typeof error.code === 'number' ? error.code : 127;
  const stopped = `gh took longer than ${TIMEOUT_MS} ms and was stopped`;
  return { exitCode, stdout, stderr: error.killed === true ? stopped : stderr || error.message };
}

const USUAL = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/bin'];

/** By its absolute path, links followed, outside the repository: a repository must not supply its own. */
export function findGh(searchPath: string, repositoryRoot: string): string | null {
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of [...folders, ...USUAL]) {
    const program = executableAt(join(folder, 'gh'));
    const inside = [folder, program ?? ''].some((path) => `${path}${sep}`.startsWith(`${repositoryRoot}${sep}`));
    if (program !== null && !inside) return program;
  }
  return null;
}

function executableAt(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** What `gh` needs of the machine's environment: the location of its login, or the token itself. */
const ALLOWED = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'GH_CONFIG_DIR',
  'GH_HOST',
  'GH_TOKEN',
  'GITHUB_TOKEN',
  'GH_ENTERPRISE_TOKEN',
  'GITHUB_ENTERPRISE_TOKEN',
  'HTTPS_PROXY',
  'https_proxy',
  'NO_PROXY',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

export function ghVariables(host: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const variables: Record<string, string> = {
    GH_PROMPT_DISABLED: '1',
    GH_NO_UPDATE_NOTIFIER: '1',
    GH_PAGER: 'cat',
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
  for (const name of ALLOWED) if (host[name] !== undefined) variables[name] = host[name];
  return variables;
}
