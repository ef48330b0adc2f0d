export {
  commitOnBranch,
  killAfterPush,
  makeFakeGh,
  makeRemoteWorld,
  pushFromElsewhere,
  refusePushes,
} from './forge-world.ts';
export { ENV, git, makeRepository } from './git-world.ts';
