export { refNameProblem } from './ref-name.ts';
export { runGit, type GitOptions, type GitPerson, type GitResult } from './run-git.ts';
