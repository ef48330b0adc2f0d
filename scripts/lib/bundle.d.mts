import type { Plugin } from 'esbuild';

export type BundledFile = { readonly name: string; readonly text: string | Uint8Array };

export function bundle(cli: string, options?: { readonly fastStart?: boolean }): Promise<BundledFile[]>;

export function nothingAtImport(packages: string): Plugin;

/** What a bundle needs at its top where a library of it still calls `require`. */
export const REQUIRE: string;
