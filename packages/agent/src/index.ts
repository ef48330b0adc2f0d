export * from './types/index.ts';
export type { Id } from './id.ts';
export { newId } from './id.ts';
export * from './execution/index.ts';
export type { GitOptions, GitPerson, GitResult } from './git/run-git.ts';
export { runGit } from './git/run-git.ts';
export * from './truncation/index.ts';
export * from './tools/index.ts';
