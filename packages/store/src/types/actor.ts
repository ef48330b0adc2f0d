/** Who did something. A user has a `userId`, and comes `via` a program and perhaps with a key; the owner is told by the program alone. */
export type Actor = {
  readonly type: 'user' | 'agent' | 'system' | 'supervisor';
  readonly name?: string;
  readonly runId?: string;
  readonly userId?: string;
  readonly via?: string;
  readonly apiKey?: string;
};

/** Whoever has the token of the home folder. Nobody else can have this name. */
export const OWNER = 'owner';

/** What the name of somebody begins with who answers through a channel: anyone who reads it may be that. */
export const REPLY = 'reply:';

/** One name for one person: the user, or the owner whatever program they used. Null if nobody knows who it was. */
export function personOf({ type, name, userId }: Actor): string | null {
  if (type !== 'user') return null;
  if (userId !== undefined) return name ?? userId;
  return name?.startsWith(REPLY) === true ? null : OWNER;
}
