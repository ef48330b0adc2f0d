import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CLAUDE_SDK_VERSION } from '../providers/claude-sdk.ts';

const run = promisify(execFile);
const PACKAGE = `@anthropic-ai/claude-agent-sdk@${CLAUDE_SDK_VERSION}`;

/** `folder` has the SDK; otherwise `missing` says why it can't be installed. */
export type InstalledSdk = { readonly folder: string } | { readonly missing: string };

/**
 * The real SDK, in a cache outside the repository: 400 MB that are downloaded once. If the registry answers and the installation fails,
 * this throws, so that no test is skipped that could have run.
 */
export async function installedClaudeSdk(): Promise<InstalledSdk> {
  const cache = path.join(homedir(), '.cache', 'attractor-tests');
  const folder = path.join(cache, `claude-agent-sdk-${CLAUDE_SDK_VERSION}`);
  if (existsSync(path.join(folder, 'node_modules', '@anthropic-ai', 'claude-agent-sdk', 'sdk.mjs'))) return { folder };
  const silence = await registrySilence();
  if (silence !== null) return { missing: silence };
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(path.join(cache, 'installing-'));
  writeFileSync(path.join(draft, 'package.json'), '{"private":true}\n');
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', PACKAGE], { cwd: draft });
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  return { folder };
}

async function registrySilence(): Promise<string | null> {
  try {
    await run('npm', ['view', PACKAGE, 'version', '--fetch-retries=0', '--fetch-timeout=15000'], { cwd: homedir() });
    return null;
  } catch (error) {
    return `the npm registry does not answer (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`;
  }
}

/** The whole environment of the Claude Code process in tests: its own home, a fake key, a service on loopback, no telemetry. */
export function claudeTestVariables(home: string, baseUrl: string): Record<string, string> {
  return {
    HOME: home,
    PATH: '/usr/bin:/bin',
    ANTHROPIC_API_KEY: 'sk-ant-none',
    ANTHROPIC_BASE_URL: baseUrl,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
    NO_PROXY: '127.0.0.1,localhost',
  };
}
