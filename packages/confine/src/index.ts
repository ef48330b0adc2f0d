export {
  anchorBelow,
  anchorFolder,
  anchorToRead,
  descriptorForOthers,
  folderForOthers,
  isStillHeld,
  makeFolders,
  realPathOfDescriptor,
  swapped,
  type AnchoredFolder,
} from './containment/anchor.ts';
export { checkNewName, checkUnprotected } from './containment/path-rules.ts';
export { PROTECTED_NAMES } from './containment/protected-names.ts';
export { isInside, resolveInside, type ResolvedPath } from './containment/resolve.ts';
export { createStrangerCheck } from './containment/strangers.ts';
export { programsIn } from './guard/named-by-git.ts';
export { hostRelation } from './network/host-labels.ts';
export { checkUrl, hostMatches, hostOf, type UrlRules } from './network/page-address.ts';
export { isPublicAddress, kindOfAddress } from './network/public-address.ts';
export { endProgramsOf, startProgram, type Program, type ProgramLaunch } from './program.ts';
export { findSandbox, type Bubblewrap, type SandboxFound } from './sandbox/find-sandbox.ts';
export type { Preparation } from './sandbox/launcher.ts';
export type { NetworkPolicy } from './sandbox/network/network-policy.ts';
export { matchesRule, parseHost, parseHostRule, type Host, type HostRule } from './sandbox/network/host-rules.ts';
export { createSandbox, type Sandbox, type WrappedCommand } from './sandbox/sandbox.ts';
export { SOCKET_GIVEN, type SandboxPolicy } from './sandbox/sandbox-policy.ts';
export { untilItBegins } from './sandbox/until-it-begins.ts';
export { programFiles } from './sandbox/temporary-folders.ts';
export { findSecrets, homesHere, type Secrets } from './sandbox/secrets.ts';
