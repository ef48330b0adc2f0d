import { StringDecoder } from 'node:string_decoder';

const EVERY_MS = 50;
const MAX_PENDING = 16_384;

export type OutputStream = 'stdout' | 'stderr';

/** What came since the last time: all of it in order, and what each stream said. */
export type OutputReport = (text: string, of: Readonly<Record<OutputStream, string>>) => void;

export type Progress = { readonly push: (chunk: Buffer, stream: OutputStream) => void; readonly end: () => void };

/** Output for viewers: at most twenty calls a second, whole characters, and only the end of a flood. */
export function createProgress(report: OutputReport): Progress {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  let pending = { text: '', stdout: '', stderr: '' };
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const { text, stdout, stderr } = pending;
    pending = { text: '', stdout: '', stderr: '' };
    if (text !== '') report(text, { stdout, stderr });
  };
  return {
    push(chunk, stream) {
      const said = decoders[stream].write(chunk);
      pending.text = (pending.text + said).slice(-MAX_PENDING);
      pending[stream] = (pending[stream] + said).slice(-MAX_PENDING);
      timer ??= setTimeout(flush, EVERY_MS);
    },
    end: flush,
  };
}
