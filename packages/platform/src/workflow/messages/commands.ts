import { listMessages, refuseOnDatabaseError } from '@attractor/store';
import type { MessageCommands } from './contract.ts';
import { type MessageServices, sendMessage } from './messages.ts';
import { changeTaskSettings, readTaskSettings } from './task-settings.ts';

export function createMessageCommands(services: MessageServices): MessageCommands {
  const { store } = services;
  return {
    sendMessage: (input, actor) => refuseOnDatabaseError(() => sendMessage(services, input, actor)),
    listMessages: (taskId) => listMessages(store.read, taskId),
    taskSettings: (taskId) => readTaskSettings(store.read, taskId),
    changeTaskSettings: (taskId, changes, actor) =>
      refuseOnDatabaseError(() => changeTaskSettings(store, { taskId, changes }, actor)),
  };
}
