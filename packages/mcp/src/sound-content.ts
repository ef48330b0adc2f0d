import { isRecord } from '@attractor/base';

type Fields = Readonly<Record<string, unknown>>;

/** One part of a result as the published types have it; a line of text stands for what is none of them. */
export function soundContent(part: unknown): Fields {
  if (!isRecord(part)) return unreadable('a part that is no object');
  const sound = PARTS[String(part['type'])]?.(part) ?? null;
  return sound ?? unreadable(`${String(part['type']).slice(0, 40)}, in a form that is not known here`);
}

/** The same for a resource's contents; null: they have no address. */
export function soundResource(resource: unknown): Fields | null {
  if (!isRecord(resource) || typeof resource['uri'] !== 'string') return null;
  const { uri, text, blob, mimeType, ...more } = resource;
  const about = { ...whole(more), uri, ...(typeof mimeType === 'string' ? { mimeType } : {}) };
  if (typeof text === 'string') return { ...about, text };
  if (typeof blob === 'string' && isBase64(blob)) return { ...about, blob };
  return { ...about, text: text === undefined ? '[its contents can’t be read]' : JSON.stringify(text) };
}

const PARTS: Readonly<Record<string, (part: Fields) => Fields | null>> = {
  text: (part) => (typeof part['text'] === 'string' ? whole(part) : null),
  image: media,
  audio: media,
  resource: ({ resource, ...part }) => {
    const sound = soundResource(resource);
    return sound === null ? null : { ...whole(part), resource: sound };
  },
  resource_link: ({ uri, name, description, mimeType, ...more }) => {
    if (typeof uri !== 'string') return null;
    const texts = Object.entries({ description, mimeType }).filter(([, value]) => typeof value === 'string');
    return { ...whole(more), uri, name: typeof name === 'string' ? name : uri, ...Object.fromEntries(texts) };
  },
};

function media(part: Fields): Fields | null {
  const { data, mimeType } = part;
  return typeof data === 'string' && typeof mimeType === 'string' && isBase64(data) ? whole(part) : null;
}

/** Without remarks in a form that is not theirs. */
function whole(part: Fields): Fields {
  const { _meta: meta, annotations, ...rest } = part;
  return {
    ...rest,
    ...(isRecord(meta) ? { _meta: meta } : {}),
    ...(isAnnotations(annotations) ? { annotations } : {}),
  };
}

export function isAnnotations(value: unknown): boolean {
  return (
    isRecord(value) && Object.entries(value).every(([name, one]) => !name.endsWith('Hint') || typeof one === 'boolean')
  );
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function unreadable(what: string): Fields {
  return { type: 'text', text: `[${what}: not shown]` };
}
