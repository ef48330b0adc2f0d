const CONTEXT = 2;
/** Above this every line counts as changed: the table below grows with the product of both lengths. */
const MAX_CELLS = 4_000_000;

type Lines = ReadonlyArray<string>;

/** The fewest removed and added lines that turn one text into the other, marked `+`, `-` or ` `; unchanged stretches are left out. */
export function lineDifference(old: Lines, now: Lines): Lines {
  const start = sharedStart(old, now);
  const [oldRest, nowRest] = [old.slice(start), now.slice(start)];
  const changed = longerThanTable(oldRest, nowRest)
    ? [...oldRest.map((line) => `-${line}`), ...nowRest.map((line) => `+${line}`)]
    : walkTable(oldRest, nowRest);
  return withoutStretches([...old.slice(0, start).map((line) => ` ${line}`), ...changed]);
}

function sharedStart(old: Lines, now: Lines): number {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  return start;
}

function longerThanTable(old: Lines, now: Lines): boolean {
  return (old.length + 1) * (now.length + 1) > MAX_CELLS;
}

/** `common[i][j]`: how many lines the rest of both texts, from i and from j, have in common. */
function walkTable(old: Lines, now: Lines): Lines {
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(` ${old[i] ?? ''}`);
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) lines.push(`-${old[i++] ?? ''}`);
    else lines.push(`+${now[j++] ?? ''}`);
  }
  return lines;
}

function withoutStretches(lines: Lines): Lines {
  const near = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => !line.startsWith(' '));
  const shown: string[] = [];
  lines.forEach((line, index) => {
    if (near(index)) shown.push(line);
    else if (shown.at(-1) !== '…') shown.push('…');
  });
  return shown;
}
