/** `head_tail`: both ends stay. `tail`: the end stays. */
export type TruncationMode = 'head_tail' | 'tail';

/**
 * Keeps `maxChars` characters: both ends (`head_tail`) or the end alone (`tail`). A character of two code units is kept or dropped whole.
 */
export function truncateChars(output: string, maxChars: number, mode: TruncationMode): string {
  if (output.length <= maxChars) return output;
  const head = mode === 'tail' ? '' : wholeHead(output, Math.floor(maxChars / 2));
  const tail = wholeTail(output, maxChars - Math.floor(mode === 'tail' ? 0 : maxChars / 2));
  const removed = output.length - head.length - tail.length;
  return mode === 'tail' ? startRemoved(removed) + tail : head + middleRemoved(removed) + tail;
}

function middleRemoved(removed: number): string {
  return `\n\n[WARNING: Tool output was truncated. ${removed} characters were removed from the middle. The full output is available in the event stream. If you need to see specific parts, re-run the tool with more targeted parameters.]\n\n`;
}

function startRemoved(removed: number): string {
  return `[WARNING: Tool output was truncated. First ${removed} characters were removed. The full output is available in the event stream.]\n\n`;
}

function wholeHead(text: string, length: number): string {
  return text.slice(0, isSecondHalf(text, length) ? length - 1 : length);
}

function wholeTail(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(isSecondHalf(text, start) ? start + 1 : start);
}

/** Whether the code unit at `index` is the second of a surrogate pair. */
function isSecondHalf(text: string, index: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, index - 1), index + 1));
}
