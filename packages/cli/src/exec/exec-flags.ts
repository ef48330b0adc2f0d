import type { OutputFormat } from '@attractor/headless';
import type { ModelFlags } from '../model-flags.ts';

export type ExecFlags = ModelFlags & {
  readonly tools: 'in-process' | 'binary';
  readonly continue?: boolean;
  readonly outputFormat?: OutputFormat;
  /** The other name of stream-json. */
  readonly json?: boolean;
  readonly maxTurns?: number;
  readonly claudeSdk?: string;
  readonly allowUnsandboxed?: boolean;
};
