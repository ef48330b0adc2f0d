/** How a terminal is given an image. */
export type ImageProtocol = 'kitty' | 'iterm';

/** Null: this terminal is not known to show images. In tmux and screen they would be lost. */
export function imageProtocolFor(env: Readonly<Record<string, string | undefined>>): ImageProtocol | null {
  const term = env['TERM'] ?? '';
  if ((env['TMUX'] ?? '') !== '' || /^(?:screen|tmux)/.test(term)) return null;
  if ((env['KITTY_WINDOW_ID'] ?? '') !== '' || /kitty|ghostty/.test(term)) return 'kitty';
  return /^(?:iTerm\.app|WezTerm)$/.test(env['TERM_PROGRAM'] ?? '') ? 'iterm' : null;
}

const ROWS = 12;
const CHUNK = 4_096;

/** An image as the terminal takes it; null: not in this form. Only what is base64 is ever written. */
export function imageBytes(data: string, mediaType: string, protocol: ImageProtocol): string | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return null;
  if (protocol === 'iterm') return `\u001b]1337;File=inline=1;height=${ROWS};preserveAspectRatio=1:${data}\u0007`;
  if (mediaType !== 'image/png') return null;
  const chunks = data.match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? [];
  return chunks
    .map((chunk, at) => {
      const more = at === chunks.length - 1 ? 0 : 1;
      const keys = at === 0 ? `f=100,a=T,q=2,r=${ROWS},m=${more}` : `m=${more}`;
      return `\u001b_G${keys};${chunk}\u001b\\`;
    })
    .join('');
}
