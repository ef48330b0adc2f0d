import type { SessionEvent } from '@attractor/agent';
import type { ImagePart } from '@attractor/llm';
import type { Acts } from '../converse/world.ts';
import { imageBytes, imageProtocolFor } from '../screen/image-bytes.ts';
import { plainLine } from '../themes/line.ts';

/** The images that an event has: shown where the terminal can, otherwise named. */
export function showImages({ screen, print, env }: Acts, event: SessionEvent): void {
  const protocol = imageProtocolFor(env);
  for (const { source } of imagesOf(event)) {
    const { data = '', mediaType = 'image' } = source;
    const size = Math.ceil((data.length * 3) / 4 / 1_024);
    print([plainLine(`  [image: ${mediaType}, ${size} KB]`, 'dim')]);
    const bytes = protocol === null ? null : imageBytes(data, mediaType, protocol);
    if (bytes !== null) screen.printBytes(bytes);
  }
}

function imagesOf(event: SessionEvent): ReadonlyArray<ImagePart> {
  if (event.kind === 'TOOL_CALL_END') return event.images ?? [];
  return event.kind === 'USER_INPUT' ? (event.parts ?? []).filter((part) => part.kind === 'IMAGE') : [];
}
