import type { ContentPart, ImagePart } from '../types/content.ts';
import type { Warning } from '../types/response.ts';
import { imageType } from '../types/image-type.ts';
import type { HistoryRules } from './rules.ts';
import { callsIn, type Slot } from './slots.ts';

export type LimitedMedia = { readonly slots: ReadonlyArray<Slot>; readonly warnings: ReadonlyArray<Warning> };

/**
 * Images within the provider's limits: the newest stay, and each one that can't be sent leaves a note in its place. If results can't
 * contain images, these follow in a user message.
 */
export function limitMedia(slots: ReadonlyArray<Slot>, rules: HistoryRules): LimitedMedia {
  const warnings: Warning[] = [];
  const total = slots.reduce((sum, slot) => sum + imagesOf(slot).length, 0);
  let surplus = Math.max(0, total - rules.maxImages);
  const judge = (given: ImagePart): ContentPart => {
    const image = asItIs(given);
    const problem =
      problemOf(image, rules) ?? (surplus > 0 ? `only the newest ${rules.maxImages} images are sent` : undefined);
    if (surplus > 0) surplus -= 1;
    if (problem === undefined) return image;
    warnings.push({ code: 'image_omitted', message: `An image was left out: ${problem}.` });
    return { kind: 'TEXT', text: `[image left out: ${problem}]` };
  };
  const limited = slots.flatMap((slot) => limitSlot(slot, judge, rules));
  return { slots: imagesBehindResults(limited), warnings };
}

function imagesOf(slot: Slot): ReadonlyArray<ImagePart> {
  if (slot.kind === 'result') return slot.result.images ?? [];
  return slot.kind === 'user' ? slot.parts.filter((part): part is ImagePart => part.kind === 'IMAGE') : [];
}

/** With the type that its bytes say: services refuse any other, and would again whenever the conversation goes on. */
function asItIs(image: ImagePart): ImagePart {
  const mediaType = image.source.data === undefined ? undefined : typeOf(image.source.data);
  return mediaType === undefined ? image : { ...image, source: { ...image.source, mediaType } };
}

function typeOf(data: string): string | undefined {
  return imageType(Buffer.from(data.slice(0, 32), 'base64'));
}

function problemOf({ source }: ImagePart, rules: HistoryRules): string | undefined {
  if (source.data === undefined) return undefined;
  if (source.data === '') return 'it is empty';
  const type = source.mediaType ?? 'image/png';
  if (!rules.imageTypes.includes(type)) return `${type} is not accepted, send ${rules.imageTypes.join(', ')}`;
  if (typeOf(source.data) === undefined) return 'its bytes are no image';
  const bytes = Math.floor((source.data.length * 3) / 4);
  return bytes > rules.maxImageBytes ? `${bytes} bytes exceed the limit of ${rules.maxImageBytes}` : undefined;
}

function limitSlot(slot: Slot, judge: (image: ImagePart) => ContentPart, rules: HistoryRules): ReadonlyArray<Slot> {
  if (slot.kind === 'user')
    return [{ kind: 'user', parts: slot.parts.map((part) => (part.kind === 'IMAGE' ? judge(part) : part)) }];
  if (slot.kind !== 'result' || slot.result.images === undefined) return [slot];
  const judged = slot.result.images.map(judge);
  const notes = judged.flatMap((part) => (part.kind === 'TEXT' ? [part.text] : []));
  const images = judged.filter((part): part is ImagePart => part.kind === 'IMAGE');
  const { images: _images, ...bare } = slot.result;
  const result = { ...bare, output: [bare.output, ...notes].filter((text) => text !== '').join('\n') };
  // An error result is text only in every protocol, so its images always follow it.
  const inside = rules.imagesInResults && !bare.isError;
  if (images.length === 0) return [{ kind: 'result', result }];
  return inside
    ? [{ kind: 'result', result: { ...result, images } }]
    : [
        { kind: 'result', result },
        { kind: 'user', parts: images },
      ];
}

/** Results of one answer must stay together, so the images come after the last of them. */
function imagesBehindResults(slots: ReadonlyArray<Slot>): ReadonlyArray<Slot> {
  const line: Slot[] = [];
  const waiting: Slot[] = [];
  let expected = 0;
  for (const slot of slots) {
    if (slot.kind === 'assistant') expected = callsIn(slot).length;
    if (slot.kind === 'result') expected -= 1;
    if (slot.kind === 'user' && expected > 0) waiting.push(slot);
    else line.push(slot);
    if (expected <= 0) line.push(...waiting.splice(0));
  }
  return [...line, ...waiting];
}
