export { openSessionFiles, type SessionFiles, type SessionFilesReading } from './session-files.ts';
export { hooksOfSettings, openSessionHooks } from './session-hooks.ts';
export { disabledServers, openSessionServers, type SessionServers } from './session-servers.ts';
