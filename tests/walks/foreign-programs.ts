import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An agent of somebody else as npm has it: its package, and where its program is in it. */
type ForeignProgram = { readonly packages: ReadonlyArray<string>; readonly file: string };

const PLATFORM = `${process.platform}-${process.arch}`;

/** Exact versions: what a newer one does is found out on purpose. */
export const PROGRAMS = {
  'claude-code': {
    packages: ['@anthropic-ai/claude-agent-sdk@0.3.325'],
    file: `@anthropic-ai/claude-agent-sdk-${PLATFORM}/claude`,
  },
  codex: { packages: ['@openai/codex@0.166.0'], file: '@openai/codex/bin/codex.js' },
} as const satisfies Readonly<Record<string, ForeignProgram>>;

export type ProgramName = keyof typeof PROGRAMS;

/**
 * The real program, in a cache outside the repository: up to 400 MB that are downloaded once. If the registry answers and the installation
 * fails, this throws, so that nothing is skipped that could have run.
 */
export async function installedProgram({
  packages,
  file,
}: ForeignProgram): Promise<{ readonly file: string } | { readonly missing: string }> {
  const cache = path.join(cacheFolder(), 'attractor-tests');
  const folder = path.join(
    cache,
    packages
      .join('+')
      .replaceAll(/^@[^/]+\//g, '')
      .replaceAll(/[@/]/g, '-'),
  );
  const found = path.join(folder, 'node_modules', file);
  if (existsSync(found)) return { file: found };
  const silence = await registrySilence(packages[0] ?? '');
  if (silence !== null) return { missing: silence };
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(path.join(cache, 'installing-'));
  writeFileSync(path.join(draft, 'package.json'), '{"private":true}\n');
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: draft,
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  if (!existsSync(found)) throw new Error(`${packages.join(' ')} has no ${file}`);
  return { file: found };
}

/** A sandbox has temporary folders of its own: a program there would not be seen whole. */
function cacheFolder(): string {
  return homedir().startsWith('/tmp/') ? '/var/cache' : path.join(homedir(), '.cache');
}

async function registrySilence(name: string): Promise<string | null> {
  try {
    await run('npm', ['view', name, 'version', '--fetch-retries=0', '--fetch-timeout=15000'], { cwd: homedir() });
    return null;
  } catch (error) {
    return `the npm registry does not answer (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`;
  }
}
