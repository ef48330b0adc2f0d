export {
  commitOnBranch,
  killAfterPush,
  makeFakeGh,
  makeRemoteWorld,
  pushFromElsewhere,
  refusePushes,
} from './forge-world.ts';
export { serveGit } from './git-daemon.ts';
export { gitWithLfs, makeLargeFilesWorld, serveLargeFiles } from './large-files-world.ts';
export { ENV, git, makeRepository } from './git-world.ts';
