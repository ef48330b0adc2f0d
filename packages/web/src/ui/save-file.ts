import type { Answer } from '@attractor/api';
import { typeset } from '@attractor/api/shown';
import { toast } from './toast.tsx';

/** Fetches bytes and hands them to the browser as a file: a plain link would come without the proof that the server wants. */
export async function saveFile(name: string, open: () => Promise<Answer<ReadableStream<Uint8Array>>>): Promise<void> {
  const opened = await open();
  if (!opened.ok) return toast(typeset(opened.error.message), { isBad: true });
  const link = document.createElement('a');
  link.download = name;
  link.href = URL.createObjectURL(await new Response(opened.value as BodyInit).blob());
  link.click();
  URL.revokeObjectURL(link.href);
}
