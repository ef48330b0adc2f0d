export type { FileDifference } from './difference.ts';
export type { ExecutableFile } from './read-executable-files.ts';
export {
  examineTrust,
  revokeTrust,
  type TrustExamination,
  type TrustFailure,
  type TrustResult,
  trustRepository,
  untrustedNotice,
} from './trust.ts';
