import type { Channel } from '../channel.ts';
import { type ChannelKind, isAddress } from '../channel-kind.ts';
import { plainText } from '../plain-text.ts';
import { postJson } from '../post-json.ts';

export type TelegramSettings = { readonly token: string; readonly chatId: string; readonly baseUrl: string };

export const TELEGRAM: ChannelKind<TelegramSettings & { readonly type: 'telegram' }> = {
  name: 'Telegram',
  flags: [{ flag: '--chat <id>', field: 'chatId', about: 'the chat of …', whose: 'Telegram' }],
  fields: [
    { field: 'token', label: 'Token of the bot', isSecret: true },
    { field: 'chatId', label: 'Id of the chat' },
  ],
  read: ({ token, chatId, baseUrl = TELEGRAM_URL }) => {
    if (typeof token !== 'string' || !/^[\w:-]{8,200}$/.test(token)) return '"token" must be the token of the bot.';
    if (typeof chatId !== 'string' && typeof chatId !== 'number') return '"chatId" must be the id of the chat.';
    if (!isAddress(baseUrl)) return '"baseUrl" must be an address that begins with http:// or https://.';
    return { type: 'telegram', token, chatId: String(chatId), baseUrl };
  },
  create: createTelegramChannel,
  target: ({ chatId }) => `chat ${chatId}`,
  secrets: ({ token }) => [token],
  kept: ['token', 'chatId', 'baseUrl'],
};

const TELEGRAM_URL = 'https://api.telegram.org';
const MAX_TEXT = 4_000;

/** A bot that writes to one chat. The text is sent as plain text: nothing in it is parsed as markup. */
export function createTelegramChannel({ token, chatId, baseUrl }: TelegramSettings): Channel {
  return {
    type: 'telegram',
    displayName: 'Telegram',
    canReply: false,
    isAvailable: async () => true,
    send: (outgoing, signal) =>
      postJson(
        {
          url: `${baseUrl.replace(/\/+$/, '')}/bot${token}/sendMessage`,
          body: JSON.stringify({
            chat_id: chatId,
            text: plainText(outgoing, MAX_TEXT),
            link_preview_options: { is_disabled: true },
          }),
        },
        signal,
      ),
  };
}
