import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { done, failed, type Result } from '@attractor/base';
import { EnvironmentError } from '@attractor/system';
import type { ExecutionEnvironment } from '@attractor/agent';
import { runGit } from '@attractor/git';
import type { Failure } from './failure.ts';

const NAME = '.session';

/** Writes the session's id into the workspace, where the next run finds it and git ignores it. */
export async function writeSessionFile(
  environment: ExecutionEnvironment,
  sessionId: string,
): Promise<Result<null, Failure<'workspace'>>> {
  const root = environment.workingDirectory();
  try {
    await excludeFromGit(root);
    await environment.writeFile(NAME, sessionId);
    return done(null);
  } catch (error) {
    if (!(error instanceof EnvironmentError) && !isRefused(error)) throw error;
    const message = `The workspace ${root} can't be written: ${error.message} Choose a folder that you may write.`;
    return failed({ code: 'workspace', message, retryable: false });
  }
}

/** Null if there is none. */
export async function readSessionFile(environment: ExecutionEnvironment): Promise<string | null> {
  try {
    const id = (await environment.readText(NAME)).trim();
    return id === '' ? null : id;
  } catch (error) {
    if (error instanceof EnvironmentError) return null;
    throw error;
  }
}

/** A linked worktree uses the ignore list of its main repository, and git says where that is. Outside a repository there is nothing to do. */
async function excludeFromGit(root: string): Promise<void> {
  const asked = await runGit(['rev-parse', '--show-prefix', '--git-path', 'info/exclude'], { cwd: root });
  const [prefix, file] = asked.stdout.split('\n');
  if (asked.exitCode !== 0 || prefix === undefined || file === undefined || file === '') return;
  const exclude = path.resolve(root, file);
  const rule = `/${prefix.replace(/[\\*?[\]!#]/g, '\\$&')}${NAME}`;
  const listed = readOrEmpty(exclude);
  if (listed.split('\n').includes(rule)) return;
  mkdirSync(path.dirname(exclude), { recursive: true });
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(exclude, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o644);
  try {
    writeSync(fd, `${listed === '' || listed.endsWith('\n') ? '' : '\n'}${rule}\n`);
  } finally {
    closeSync(fd);
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isRefused(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
