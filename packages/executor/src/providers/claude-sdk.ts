import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from '@attractor/base';

const PACKAGE = '@anthropic-ai/claude-agent-sdk';

/** The version that the tests run against. */
export const CLAUDE_SDK_VERSION = '0.3.325';

/** The part of the Claude Agent SDK that we use. It is not a dependency: people install it themselves. */
export type ClaudeSdk = {
  readonly query: (call: {
    readonly prompt: string;
    readonly options: Readonly<Record<string, unknown>>;
  }) => AsyncIterable<unknown> & { readonly close?: () => void };
  readonly tool: (...parts: [name: string, description: string, shape: object, handler: SdkToolHandler]) => object;
  readonly createSdkMcpServer: (options: Readonly<Record<string, unknown>>) => object;
};

export type SdkToolHandler = (
  args: Readonly<Record<string, unknown>>,
  extra: unknown,
) => Promise<{ readonly content: ReadonlyArray<object>; readonly isError: boolean }>;

/** Finds the SDK among our own modules or in one of the folders. Null if it is in none. */
export function findClaudeSdk(folders: ReadonlyArray<string>): string | null {
  const places = [import.meta.url, ...folders.map((folder) => path.join(folder, 'package.json'))];
  for (const place of places) {
    try {
      return createRequire(place).resolve(PACKAGE);
    } catch {
      // Not installed there.
    }
  }
  return null;
}

/** Loads the SDK; null if it is not installed. If another package has its name, the failure says so. */
export async function loadClaudeSdk(folders: ReadonlyArray<string>): Promise<ClaudeSdk | null> {
  const file = findClaudeSdk(folders);
  if (file === null) return null;
  const loaded: unknown = await import(pathToFileURL(file).href);
  if (isSdk(loaded)) return loaded;
  throw new Error(`${file} is not the Claude Agent SDK that this version knows (${CLAUDE_SDK_VERSION}).`);
}

/** The command that installs the SDK where we look for it. */
export function installCommand(folder: string): string {
  return `npm install --ignore-scripts --prefix ${folder} ${PACKAGE}@${CLAUDE_SDK_VERSION}`;
}

function isSdk(value: unknown): value is ClaudeSdk {
  const names = ['query', 'tool', 'createSdkMcpServer'];
  return (
    isRecord({ ...(value as object) }) && names.every((name) => typeof Reflect.get(Object(value), name) === 'function')
  );
}
