import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defined } from '@attractor/base';
import type { HookInput } from '@attractor/settings';
import type { ExecCommand, ExecOptions, ExecutionEnvironment } from '../types/index.ts';

/** Variables that hooks set for later commands, in a file to which they append lines: `export NAME=value`. */
export type HookVariables = {
  readonly file: () => string;
  /** Reads what was appended. Invalid names and lines that are not assignments are skipped. */
  readonly reload: () => void;
  readonly current: () => Readonly<Record<string, string>>;
  readonly close: () => void;
};

const MAX_FILE_BYTES = 64 << 10;

export function createHookVariables(): HookVariables {
  let folder: string | null = null;
  let current: Readonly<Record<string, string>> = {};
  const file = (): string => path.join((folder ??= mkdtempSync(path.join(tmpdir(), 'attractor-hook-env-'))), 'env.sh');
  return {
    file,
    reload: () => {
      try {
        const text = readFileSync(file(), 'utf8');
        if (text.length <= MAX_FILE_BYTES) current = parseAssignments(text);
      } catch {
        // Nothing was written.
      }
    },
    current: () => current,
    close: () => {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
      folder = null;
    },
  };
}

/** Nothing is run or expanded: a value is the literal text without its quotes. */
export function parseAssignments(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, name, written = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) found[name] = unquoted(written.trim());
  }
  return found;
}

function unquoted(text: string): string {
  const [, single] = /^'([^']*)'$/.exec(text) ?? [];
  if (single !== undefined) return single;
  const [, double] = /^"((?:[^"\\]|\\.)*)"$/.exec(text) ?? [];
  return double === undefined ? text : double.replaceAll(/\\(["\\$`])/g, '$1');
}

/** The environment with these variables for its commands; variables that the caller sets win. */
export function withVariables(
  environment: ExecutionEnvironment,
  variables: () => Readonly<Record<string, string>>,
): ExecutionEnvironment {
  const execCommand: ExecCommand = (command: string, first?: number | ExecOptions, ...place: Place) => {
    const options = typeof first === 'object' ? first : positional(first, place);
    return environment.execCommand(command, { ...options, envVars: { ...variables(), ...options.envVars } });
  };
  const { startCommand } = environment;
  if (startCommand === undefined) return { ...environment, execCommand };
  return {
    ...environment,
    execCommand,
    startCommand: (command, options) =>
      startCommand(command, { ...options, envVars: { ...variables(), ...options.envVars } }),
  };
}

type Place = [workingDir?: string, envVars?: Readonly<Record<string, string>>];

function positional(timeoutMs: number | undefined, [workingDir, envVars]: Place): ExecOptions {
  return {
    ...defined({ timeoutMs, workingDir, envVars }),
  };
}

/** Of a hook's command: the folder of the project, and how much the model thinks. */
export function projectVariables(environment: ExecutionEnvironment, { effort }: HookInput): Record<string, string> {
  const root = environment.workingDirectory();
  const level = typeof effort === 'object' && effort !== null && 'level' in effort ? String(effort.level) : null;
  return { CLAUDE_PROJECT_DIR: root, ATTRACTOR_PROJECT_DIR: root, ...(level === null ? {} : { CLAUDE_EFFORT: level }) };
}
