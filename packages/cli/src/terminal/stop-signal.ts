import { EXIT } from '../exit.ts';

/** Resolves with the exit code once a person (Ctrl-C) or a supervisor asks the process to stop. */
export async function untilStopped(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const interrupt = () => resolve(EXIT.interrupted);
  const terminate = () => resolve(EXIT.terminated);
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', terminate);
  const exitCode = await promise;
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', terminate);
  return exitCode;
}
