import { listAttachments, refuseOnDatabaseError, type Store } from '@attractor/store';
import { addAttachment, removeAttachment } from './attachments.ts';
import { readAttachment } from '@attractor/store';
import type { AttachmentCommands } from './contract.ts';

export function createAttachmentCommands({
  store,
  home,
}: {
  readonly store: Store;
  readonly home: string;
}): AttachmentCommands {
  const { read } = store;
  const on = { store, home };
  return {
    addAttachment: (input, actor) => refuseOnDatabaseError(() => addAttachment(on, input, actor)),
    listAttachments: (taskId) => listAttachments(read, taskId),
    readAttachment: (id) => readAttachment(on, id),
    removeAttachment: (id, actor) => refuseOnDatabaseError(() => removeAttachment(on, id, actor)),
  };
}
