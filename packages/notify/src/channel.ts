import type { Notification, PromptType } from '@attractor/store';

/**
 * How a person may answer without opening the app: a token that works once, for exactly what was shown. It is not part of the address, which
 * proxies and logs keep.
 */
export type ReplyTo = {
  readonly promptId: string;
  readonly promptType: PromptType;
  readonly contentHash: string;
  readonly decisions: ReadonlyArray<string>;
  readonly url: string;
  readonly token: string;
};

export type OutgoingNotification = {
  /** The same when it is sent again, so that a receiver can skip what it has seen. */
  readonly deliveryId: string;
  readonly notification: Notification;
  /** The address of the task; null if no public address is set. */
  readonly link: string | null;
  readonly replies: ReadonlyArray<ReplyTo>;
};

export type SendResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly message: string;
      /** Whether sending it again later may succeed. */
      readonly retryable: boolean;
      /** How long the receiver asked us to wait. */
      readonly retryAfterMs?: number;
    };

/**
 * A way to reach a person. `send` ends within the signal's time and never throws for an expected reason; its message contains no secret of
 * the channel. `canReply` channels carry the address for answering a prompt; others only notify.
 */
export type Channel = {
  readonly type: string;
  readonly displayName: string;
  readonly canReply: boolean;
  readonly isAvailable: () => Promise<boolean>;
  readonly send: (outgoing: OutgoingNotification, signal: AbortSignal) => Promise<SendResult>;
};
