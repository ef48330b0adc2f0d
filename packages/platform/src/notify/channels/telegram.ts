import type { Channel } from '../channel.ts';
import { plainText } from '../plain-text.ts';
import { postJson } from '../post-json.ts';

export type TelegramSettings = { readonly token: string; readonly chatId: string; readonly baseUrl: string };

export const TELEGRAM_URL = 'https://api.telegram.org';
const MAX_TEXT = 4_000;

/** A bot that writes to one chat. The text is sent as plain text: nothing in it is read as markup. */
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
