export type LinePair = { readonly asked: string; readonly found: string };

/**
 * For text that was found with an indentation other than the model's: how its new lines are indented in the file. Null if the found lines
 * don't tell; then nothing may be changed, because a wrong indentation can change what a program does.
 */
export function carryIndentation(pairs: ReadonlyArray<LinePair>): ((line: string) => string | null) | null {
  const leads = new Map<string, string>();
  for (const { asked, found } of pairs) {
    if (asked.trim() === '') continue;
    const known = leads.get(leadOf(asked));
    if (known !== undefined && known !== leadOf(found)) return null;
    leads.set(leadOf(asked), leadOf(found));
  }
  const rest = shifted(leads) ?? scaled(leads);
  return (line) => {
    if (line.trim() === '') return line;
    const lead = leadOf(line);
    const carried = leads.get(lead) ?? (leads.size === 0 ? lead : (rest?.(lead) ?? null));
    return carried === null ? null : carried + line.slice(lead.length);
  };
}

type Carry = (lead: string) => string | null;

/** Every line is indented more, or less, by the same text. */
function shifted(leads: ReadonlyMap<string, string>): Carry | null {
  const pairs = [...leads];
  const [asked, found] = pairs[0] ?? ['', ''];
  const more = found.slice(0, Math.max(0, found.length - asked.length));
  if (pairs.every(([from, to]) => to === more + from)) return (lead) => more + lead;
  const less = asked.slice(0, Math.max(0, asked.length - found.length));
  if (pairs.every(([from, to]) => from === less + to)) {
    return (lead) => (lead.startsWith(less) ? lead.slice(less.length) : null);
  }
  return null;
}

/** Each indentation step is written differently, such as a tab for two spaces. */
function scaled(leads: ReadonlyMap<string, string>): Carry | null {
  const [asked, found] =
    [...leads].filter(([from]) => from !== '').toSorted((a, b) => a[0].length - b[0].length)[0] ?? [];
  if (asked === undefined || found === undefined || found === '') return null;
  const carry: Carry = (lead) => {
    const steps = lead.length / asked.length;
    return Number.isInteger(steps) && lead === asked.repeat(steps) ? found.repeat(steps) : null;
  };
  return [...leads].every(([from, to]) => carry(from) === to) ? carry : null;
}

function leadOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}
