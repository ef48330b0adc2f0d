import { StringDecoder } from 'node:string_decoder';

const EVERY_MS = 50;
const MAX_PENDING = 16_384;

export type Progress = { readonly push: (chunk: Buffer) => void; readonly end: () => void };

/** Output for viewers: at most twenty calls a second, whole characters, and only the end of a flood. */
export function createProgress(report: (text: string) => void): Progress {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending !== '') report(pending);
    pending = '';
  };
  return {
    push(chunk) {
      pending = (pending + decoder.write(chunk)).slice(-MAX_PENDING);
      timer ??= setTimeout(flush, EVERY_MS);
    },
    end: flush,
  };
}
