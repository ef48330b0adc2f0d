import type { ChannelSettings, QuietHours } from '@attractor/notify';
import type { ChannelForm } from '@attractor/notify/channels';
import type { Actor, Delivery, NotificationType, Prompt, PromptAnswer, Result } from '@attractor/store';

/** A channel as it may be shown: its target, without its secrets. */
export type ChannelView = {
  readonly name: string;
  readonly type: ChannelSettings['type'];
  readonly displayName: string;
  readonly enabled: boolean;
  /** False if this machine lacks what the channel needs. */
  readonly available: boolean;
  /** A delivery was given up, and nothing has arrived since. */
  readonly failing: boolean;
  /** Host only, or the id of a chat. */
  readonly target: string;
  readonly types: Readonly<Partial<Record<NotificationType, boolean>>>;
  readonly quietHours: QuietHours | 'inherit' | 'none';
};

export type NotifyView = {
  readonly publicUrl: string | null;
  readonly quietHours: QuietHours | null;
  readonly channels: ReadonlyArray<ChannelView>;
  /** The kinds that there are, and what each needs. */
  readonly kinds: ReadonlyArray<ChannelForm>;
};

/** `answer` is what a reply may contain: no rules to remember, no other input for a tool. */
export type PromptReplyCommand = {
  readonly promptId: string;
  readonly token: string;
  readonly answer: Pick<PromptAnswer, 'decision' | 'message' | 'answers'>;
};

/**
 * How people are notified. Addresses and secrets go into a file of the home folder that only its owner can read; events contain only the
 * channel's name.
 */
export type NotifyCommands = {
  readonly notifySettings: () => Promise<Result<NotifyView>>;
  /**
   * `channel` is JSON such as `{ "type": "webhook", "url": "https://…" }`; it replaces a channel of that name, but keeps a secret that is
   * not given. `secret` is returned if it was just generated: the receiver needs it.
   */
  readonly saveChannel: (
    input: { readonly name: string; readonly channel: unknown },
    actor: Actor,
  ) => Promise<Result<{ readonly channel: ChannelView; readonly secret: string | null }>>;
  readonly removeChannel: (name: string, actor: Actor) => Promise<Result<null>>;
  /** Null removes it; absent leaves it unchanged. */
  readonly saveNotifyPreferences: (
    input: { readonly publicUrl?: string | null; readonly quietHours?: QuietHours | null },
    actor: Actor,
  ) => Promise<Result<NotifyView>>;
  /** Sends a test notification at once, even in quiet hours, and reports whether it arrived. */
  readonly testChannel: (name: string, actor: Actor) => Promise<Result<null>>;
  /** Newest first, in whatever state. */
  readonly listDeliveries: (filter: {
    readonly channel?: string;
    readonly limit?: number;
  }) => Promise<ReadonlyArray<Delivery>>;
  /**
   * Answers a prompt for the holder of its reply token. `unavailable`: the token gives no such right. The first answer counts; a second one
   * is refused with that reason.
   */
  readonly replyToPrompt: (reply: PromptReplyCommand) => Promise<Result<Prompt>>;
};
