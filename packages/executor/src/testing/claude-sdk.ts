import { type InstalledPackages, installedPackages, PLATFORM } from '@attractor/system/testing';
import { CLAUDE_SDK_VERSION } from '../providers/claude-sdk.ts';

/** The real SDK with the program that it starts: 170 MB that are downloaded once. */
export function installedClaudeSdk(): Promise<InstalledPackages> {
  const name = '@anthropic-ai/claude-agent-sdk';
  return installedPackages([`${name}@${CLAUDE_SDK_VERSION}`, `${name}-${PLATFORM}@${CLAUDE_SDK_VERSION}`]);
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
