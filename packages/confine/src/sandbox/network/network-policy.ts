import type { Socket } from 'node:net';

/** How names become addresses. */
export type Resolve = (name: string) => Promise<ReadonlyArray<string>>;

export type Dial = (address: string, port: number) => Socket;

/** Domains as in `parseHostRule`. Missing, empty and unreadable lists all mean that nothing is allowed. */
export type NetworkPolicy = {
  readonly allowedDomains?: ReadonlyArray<string>;
  readonly deniedDomains?: ReadonlyArray<string>;
  /** How names become addresses and addresses connections; absent: this machine's own way. */
  readonly resolve?: Resolve;
  readonly dial?: Dial;
};
