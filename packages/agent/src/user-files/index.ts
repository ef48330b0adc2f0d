export { type CallWorld, type NamedTexts, namedTexts } from './call-by-name.ts';
export { type Equipment, equipProfile } from './equip-profile.ts';
export { openUserFiles } from './open-user-files.ts';
export type { UserFiles, UserFilesQuery } from './read-user-files.ts';
export { styleNamed } from '../styles/read-styles.ts';
export { readUserDocs } from '../prompts/user-docs.ts';
export { findProjectDocs } from '../prompts/project-docs.ts';
