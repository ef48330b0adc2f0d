import { openSessionServers, type SessionServers } from '@attractor/agent';
import { VERSION } from '../version.ts';

/** Loaded only where there are servers: what they need is no part of a start without any. */
export function openServers(configured: Omit<Parameters<typeof openSessionServers>[0], 'version'>): SessionServers {
  return openSessionServers({ ...configured, version: VERSION });
}
