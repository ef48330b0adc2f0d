/**
 * A jq filter with its strings emptied: `"a \(.b) c"` becomes `""(.b)""`, so that code inside a string is read as code. Null if a string
 * does not end or an escape is unknown.
 */
export function emptyStrings(filter: string): string | null {
  let code = '';
  let at = 0;
  // One entry for each string that an interpolation interrupts: the number of open brackets in its code.
  const open: number[] = [];
  let inString = false;
  while (at < filter.length) {
    const character = filter.charAt(at);
    if (inString) {
      const step = stepInString(filter, at);
      if (step === null) return null;
      if (step === 'opens') open.push(0);
      if (step === 'opens' || step === 'ends') inString = false;
      if (step === 'opens') code += '"(';
      else if (step === 'ends') code += '"';
      at += step === 'escape' || step === 'opens' ? 2 : 1;
      continue;
    }
    const depth = open.at(-1);
    code += character;
    if (character === '"') inString = true;
    else if (character === '(' && depth !== undefined) open[open.length - 1] = depth + 1;
    else if (character === ')' && depth === 0) {
      open.pop();
      code += '"';
      inString = true;
    } else if (character === ')' && depth !== undefined) open[open.length - 1] = depth - 1;
    at += 1;
  }
  return inString || open.length > 0 ? null : code;
}

type Step = 'text' | 'escape' | 'opens' | 'ends';

function stepInString(filter: string, at: number): Step | null {
  const character = filter.charAt(at);
  if (character === '"') return 'ends';
  if (character === '\n') return null;
  if (character !== '\\') return 'text';
  const next = filter.charAt(at + 1);
  if (next === '(') return 'opens';
  return next !== '' && '"\\/bfnrtu'.includes(next) ? 'escape' : null;
}
