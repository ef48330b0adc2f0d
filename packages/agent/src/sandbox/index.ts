export type { Bubblewrap, FindSandboxOptions, SandboxFound } from './find-sandbox.ts';
export { findSandbox } from './find-sandbox.ts';
export type { NetworkPolicy } from './network/gate.ts';
export type { Sandbox, SandboxedCommand, SandboxPolicy, WrappedCommand } from './sandbox.ts';
export { createSandbox } from './sandbox.ts';
export type { SandboxQuestion, SandboxVerdict } from './verdict.ts';
export { sandboxVerdict } from './verdict.ts';
export { hideSecrets } from './secret-guard.ts';
