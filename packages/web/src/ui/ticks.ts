const STEPS = [1, 2, 5, 10];
const AT_MOST = 4;

/** Round amounts from nothing to the first that is as high as the highest: at most four steps, of 1, 2 or 5 times a power of ten. */
export function ticksTo(most: number): ReadonlyArray<number> {
  if (!(most > 0)) return [0, 1];
  const rough = most / AT_MOST;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough * 0.999_999) ?? 10) * power;
  const count = Math.ceil((most / step) * 0.999_999);
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}
