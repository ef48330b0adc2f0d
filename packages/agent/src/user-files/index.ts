export { type CallWorld, type NamedTexts, namedTexts } from './call-by-name.ts';
export { openUserFiles } from './open-user-files.ts';
export type { UserFiles, UserFilesQuery } from './read-user-files.ts';
