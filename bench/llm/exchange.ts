import { peakSize } from '@attractor/base/testing/peak-size';

/** The work of both programs: the same request, `count` times in a row, each answer read to its end. */
export type Exchange = { readonly baseUrl: string; readonly warmUps: number; readonly count: number };

export type Measured = {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly characters: number;
};

export function exchangeFromArguments(): Exchange {
  const [baseUrl = '', warmUps = '0', count = '1'] = process.argv.slice(2);
  return { baseUrl, warmUps: Number(warmUps), count: Number(count) };
}

/** Cost per answer, after the warm-up; memory is the peak of the whole process. Printed as one line of JSON. */
export async function measureExchange({ warmUps, count }: Exchange, ask: () => Promise<string>): Promise<void> {
  for (let at = 0; at < warmUps; at += 1) await ask();
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  let characters = 0;
  for (let at = 0; at < count; at += 1) characters += (await ask()).length;
  const wallMs = (performance.now() - before) / count;
  const cpu = process.cpuUsage(cpuBefore);
  const measured: Measured = {
    wallMs,
    cpuMs: (cpu.user + cpu.system) / 1000 / count,
    peakMb: peakSize() / 2 ** 20,
    characters: characters / count,
  };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}
