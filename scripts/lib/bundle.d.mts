import type { Plugin } from 'esbuild';

export function pluginsFor(cli: string): Plugin[];
