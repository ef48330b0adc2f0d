import type { Request } from './request.ts';
import type { StreamEvent } from './stream.ts';

/**
 * The port to one protocol family. `stream` opens one HTTP exchange, never retries, never throws: every failure, abort included, is its
 * final ERROR event. Closing the iterator early closes the connection.
 */
export type ModelProvider = {
  readonly id: string;
  readonly stream: (request: Request) => AsyncIterable<StreamEvent>;
  /** Present if the credential can be renewed; true means that another one is in place and a retry makes sense. */
  readonly refreshCredential?: () => Promise<boolean>;
  readonly close?: () => Promise<void>;
};
