import type { ChannelSettings } from '../../notify/channel-settings.ts';
import type { Actor, Delivery, NotificationType, Prompt, PromptAnswer, Result } from '@attractor/store';
import type { QuietHours } from '../../notify/quiet-hours.ts';

/** A channel as it may be shown: where it leads, without its secrets. */
export type ChannelView = {
  readonly name: string;
  readonly type: ChannelSettings['type'];
  readonly displayName: string;
  readonly enabled: boolean;
  /** False when this machine lacks what the channel needs. */
  readonly available: boolean;
  /** The last thing that was given up has not been followed by anything that arrived. */
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
};

/** `answer` is what a reply may say: no rules to remember, no other input for a tool. */
export type PromptReplyCommand = {
  readonly promptId: string;
  readonly token: string;
  readonly answer: Pick<PromptAnswer, 'decision' | 'message' | 'answers'>;
};

/**
 * How people are notified. Addresses and secrets go into a file of the home folder that only its owner can read; events
 * name the channel and say nothing else about it.
 */
export type NotifyCommands = {
  readonly notifySettings: () => Promise<Result<NotifyView>>;
  /**
   * `channel` is JSON such as `{ "type": "webhook", "url": "https://…" }`; a channel of that name is replaced, what is not said of a
   * secret stays. `secret` is given back when it was made just now: the receiver needs it.
   */
  readonly saveChannel: (
    input: { readonly name: string; readonly channel: unknown },
    actor: Actor,
  ) => Promise<Result<{ readonly channel: ChannelView; readonly secret: string | null }>>;
  readonly removeChannel: (name: string, actor: Actor) => Promise<Result<null>>;
  /** Null takes it back; absent leaves it as it is. */
  readonly saveNotifyPreferences: (
    input: { readonly publicUrl?: string | null; readonly quietHours?: QuietHours | null },
    actor: Actor,
  ) => Promise<Result<NotifyView>>;
  /** Sends a test notification at once, even in quiet hours, and says whether it arrived. */
  readonly testChannel: (name: string, actor: Actor) => Promise<Result<null>>;
  /** Newest first, whatever became of them. */
  readonly listDeliveries: (filter: {
    readonly channel?: string;
    readonly limit?: number;
  }) => Promise<ReadonlyArray<Delivery>>;
  /**
   * Answers a prompt for whoever holds its reply token. `unavailable`: the token gives no such right. The first answer stands; a second
   * one is refused with that reason.
   */
  readonly replyToPrompt: (reply: PromptReplyCommand) => Promise<Result<Prompt>>;
};
