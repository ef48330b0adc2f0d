export { createPeopleCommands } from './commands.ts';
export type { IssuedIdentity, PeopleCommands } from './contract.ts';
