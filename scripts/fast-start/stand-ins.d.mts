import type { Plugin } from 'esbuild';

export const standIns: Plugin[];
