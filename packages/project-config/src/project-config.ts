import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { done, messageOf } from '@attractor/base';
import { examineTrust, type TrustExamination } from '@attractor/settings';
import { refuse, type Result } from '@attractor/store';
import { parseConfig } from './parse-config.ts';
import type { Configured } from './configured.ts';

/**
 * `hash` covers every byte of the repository's executable configuration, these files and all others: a person trusts exactly that. Nothing
 * here may be run or obeyed unless `trust` is `trusted`; the parsed bytes are the hashed bytes.
 */
export type ProjectConfig = Configured & {
  readonly hash: string;
  readonly trust: TrustExamination['state'];
  /** Instructions for every agent of the project. Also null if nobody trusted them. */
  readonly instructions: string | null;
  /** The patterns of ignored files that are copied into worktrees. Also null if nobody trusted them. */
  readonly worktreeInclude: string | null;
};

const FOLDERS = ['.attractor', '.agents-manager'];
const MAX_INSTRUCTIONS = 100_000;

/** `.attractor/config.json`, or `.agents-manager/config.json` if ours is absent. `home` is where trust is kept. */
export function readProjectConfig(projectPath: string, { home }: { readonly home: string }): Result<ProjectConfig> {
  const trust = examineTrust(projectPath, { home });
  const file = firstOf(trust, 'config.json');
  if (file === null) return done(toProject(nothingConfigured(), trust));
  const parsed = parseConfig({
    path: join(projectPath, file.path),
    text: file.content,
    isOurs: file.path.startsWith('.attractor/'),
  });
  return parsed.ok ? done(toProject(parsed.value, trust)) : parsed;
}

/** The configuration that a run uses: of an untrusted repository nothing at all, not even a mistake. */
export function followedConfig(projectPath: string, place: { readonly home: string }): Result<ProjectConfig> {
  const read = readProjectConfig(projectPath, place);
  if (read.ok) return read;
  const trust = examineTrust(projectPath, place);
  return trust.state === 'trusted' ? read : done(toProject(nothingConfigured(), trust));
}

/** Whether there is any file of a person or the repository: a look that costs next to nothing. */
export function isAnythingWritten(projectPath: string, { home }: { readonly home: string }): boolean {
  return [homeConfig(home), ...FOLDERS.map((folder) => join(projectPath, folder, 'config.json'))].some(existsSync);
}

function homeConfig(home: string): string {
  return join(home, 'config.json');
}

/** A person's own defaults for every project: `<home>/config.json`. */
export async function readHomeConfig(home: string): Promise<Result<Configured>> {
  const path = homeConfig(home);
  try {
    return parseConfig({ path, text: await readFile(path, 'utf8'), isOurs: false });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return done(nothingConfigured());
    return refuse('invalid', `${path}:1: it can't be read (${messageOf(error)})`);
  }
}

function nothingConfigured(): Configured {
  return {
    path: null,
    checks: [],
    secrets: { isOn: true, isNamed: false, severity: 'error', modes: null },
    setup: null,
    git: {},
    failOnError: true,
    failOnWarning: false,
    defaultAgentType: null,
    agents: {},
    lines: {},
    whole: {},
  };
}

function toProject(config: Configured, trust: TrustExamination): ProjectConfig {
  const isTrusted = trust.state === 'trusted';
  const instructions = firstOf(trust, 'instructions.md')?.content.trim() ?? '';
  const include = trust.files.find(({ path }) => path === '.worktreeinclude')?.content ?? null;
  return {
    ...config,
    hash: trust.hash,
    trust: trust.state,
    instructions: isTrusted && instructions !== '' ? instructions.slice(0, MAX_INSTRUCTIONS) : null,
    worktreeInclude: isTrusted ? include : null,
  };
}

function firstOf({ files }: TrustExamination, name: string): TrustExamination['files'][number] | null {
  return FOLDERS.flatMap((folder) => files.find(({ path }) => path === `${folder}/${name}`) ?? [])[0] ?? null;
}
