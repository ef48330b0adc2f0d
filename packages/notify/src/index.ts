export type { ChannelSettings } from './channel-settings.ts';
export { isWanted, readChannelSettings, readQuietHours } from './channel-settings.ts';
export { createChannel, kindOf } from './channels/index.ts';
export type { NotifierOptions } from './notifier.ts';
export { startNotifier } from './notifier.ts';
export type { QuietHours } from './quiet-hours.ts';
export type { NotifySettings } from './settings-file.ts';
export { readNotifySettings, readPublicUrl, writeNotifySettings } from './settings-file.ts';
