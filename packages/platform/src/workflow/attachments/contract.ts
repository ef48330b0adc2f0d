import type { Actor, Attachment, Result } from '@attractor/store';

export type NewAttachment = {
  readonly taskId: string;
  readonly name: string;
  readonly mediaType?: string;
  readonly content: Uint8Array;
};

export type AttachmentCommands = {
  readonly addAttachment: (input: NewAttachment, actor: Actor) => Promise<Result<Attachment>>;
  readonly listAttachments: (taskId: string) => Promise<ReadonlyArray<Attachment>>;
  readonly readAttachment: (
    id: string,
  ) => Promise<Result<{ readonly attachment: Attachment; readonly content: Uint8Array }>>;
  readonly removeAttachment: (id: string, actor: Actor) => Promise<Result<null>>;
};
