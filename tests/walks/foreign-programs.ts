import path from 'node:path';
import { installedClaudeSdk } from '@attractor/executor/testing';
import { type InstalledPackages, installedPackages, PLATFORM } from '@attractor/system/testing';

/** An agent of somebody else as npm has it, and where its program is in it. */
type ForeignProgram = { readonly installed: () => Promise<InstalledPackages>; readonly file: string };

const CODEX = { version: '0.166.0', platform: `${process.platform}-${process.arch}` };

/** Exact versions: what a newer one does is found out on purpose. Only what this machine runs is downloaded, 600 MB of all but the last. */
const PROGRAMS = {
  'claude-code': {
    installed: installedClaudeSdk,
    file: `@anthropic-ai/claude-agent-sdk-${PLATFORM}/claude`,
  },
  codex: {
    installed: () =>
      installedPackages([
        `@openai/codex@${CODEX.version}`,
        `@openai/codex-${CODEX.platform}@npm:@openai/codex@${CODEX.version}-${CODEX.platform}`,
      ]),
    file: '@openai/codex/bin/codex.js',
  },
  gemini: {
    installed: () => installedPackages(['@google/gemini-cli@0.61.0']),
    file: '@google/gemini-cli/bundle/gemini.js',
  },
  opencode: {
    installed: () => installedPackages([`opencode-${PLATFORM}@1.18.33`]),
    file: `opencode-${PLATFORM}/bin/opencode`,
  },
  pi: {
    // The newest whose parts are all published: 1.0 and later name a package that is not there.
    installed: () => installedPackages(['@earendil-works/pi-coding-agent@0.87.1']),
    file: '@earendil-works/pi-coding-agent/dist/bundle/cli.js',
  },
  // What the command line of Cline 3.0.65 is made of; itself it is a compiled program, and not published for every machine.
  cline: {
    installed: () => installedPackages(['@cline/core@0.0.86']),
    file: '@cline/core/dist/index.js',
  },
} as const satisfies Readonly<Record<string, ForeignProgram>>;

/** Those that can work for us: the others are tried only for what they leave behind. */
export type ProgramName = Exclude<keyof typeof PROGRAMS, 'pi' | 'cline'>;

export const PROGRAM_NAMES: ReadonlyArray<ProgramName> = ['claude-code', 'codex', 'gemini', 'opencode'];

/** The real program, from the cache or from the registry; without both, why not. */
export async function installedProgram(
  name: keyof typeof PROGRAMS,
): Promise<{ readonly file: string } | { readonly missing: string }> {
  const { installed, file } = PROGRAMS[name];
  const found = await installed();
  return 'missing' in found ? found : { file: path.join(found.folder, 'node_modules', file) };
}
