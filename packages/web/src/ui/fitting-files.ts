import { ATTACHMENT_LIMIT_BYTES } from '@attractor/api';
import { showControls } from '@attractor/api/shown';
import { toast } from './toast.tsx';

/** Those that the server takes; the others are named at once, and not only when all the rest is sent. */
export function fittingFiles(files: Iterable<File>): ReadonlyArray<File> {
  const [all, most] = [[...files], ATTACHMENT_LIMIT_BYTES / 1024 / 1024];
  for (const { name, size } of all)
    if (size > ATTACHMENT_LIMIT_BYTES)
      toast(`${showControls(name)} is larger than ${most} MiB: link to it instead.`, { isBad: true });
  return all.filter(({ size }) => size <= ATTACHMENT_LIMIT_BYTES);
}
