/** `Bash(git log *), Read Edit` → its three parts: commas and blanks separate tools except inside parentheses. */
export function splitTools(text: string): ReadonlyArray<string> {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of `${text} `) {
    if (depth === 0 && /[\s,]/.test(character)) {
      if (part !== '') parts.push(part);
      part = '';
      continue;
    }
    if (character === '(') depth += 1;
    if (character === ')' && depth > 0) depth -= 1;
    part += character;
  }
  return part === '' ? parts : [...parts, part.trimEnd()];
}
