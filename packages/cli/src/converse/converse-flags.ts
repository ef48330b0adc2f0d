import type { ModelFlags } from '../model-flags.ts';

/** The flags of `attractor` alone. */
export type ConverseFlags = ModelFlags & {
  readonly permissionMode?: string;
  readonly allowUnsandboxed?: boolean;
  readonly animation?: boolean;
  readonly screenReader?: boolean;
};
