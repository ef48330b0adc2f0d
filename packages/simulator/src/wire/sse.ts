/** One event of a stream. `output` marks those with something a person could see (text, thinking, a call). */
export interface WireEvent {
  event?: string;
  data: string;
  output?: boolean;
}

export interface Framing {
  lineEnd: '\n' | '\r\n' | '\r';
  bom: boolean;
  comments: boolean;
  multiLine: boolean;
}

export const PLAIN_FRAMING: Framing = { lineEnd: '\n', bom: false, comments: false, multiLine: false };

/** Event-stream text of each event; joining the result gives the whole body. */
export function frameEvents(events: WireEvent[], framing: Framing): string[] {
  const end = framing.lineEnd;
  return events.map((event, index) => {
    const lines: string[] = [];
    if (framing.comments) lines.push(`: comment ${index}`);
    if (event.event !== undefined) lines.push(`event: ${event.event}`);
    for (const line of dataLines(event.data, framing)) lines.push(`data: ${line}`);
    const bom = framing.bom && index === 0 ? '\uFEFF' : '';
    return bom + lines.join(end) + end + end;
  });
}

/** JSON may be broken between tokens without changing its meaning: after `{` and before `}` no string is open. */
function dataLines(data: string, framing: Framing): string[] {
  if (!framing.multiLine || !data.startsWith('{') || data.length < 3) return [data];
  return ['{', data.slice(1, -1), '}'];
}

/** The array form that Gemini uses without `alt=sse`. */
export function frameJsonArray(events: WireEvent[]): string[] {
  if (events.length === 0) return ['[]'];
  return events.map(
    ({ data }, index) => (index === 0 ? '[' : ',\r\n') + data + (index === events.length - 1 ? ']' : ''),
  );
}
