import type { ExecutionEnvironment } from '../types/index.ts';

/** The read operations of an environment, each after a check that throws for a file that may not be read. */
export function checkedReads(
  environment: ExecutionEnvironment,
  check: (file: string) => void,
): Pick<ExecutionEnvironment, 'readFile' | 'readText' | 'readBytes'> {
  return {
    readFile: async (file, ...range) => {
      check(file);
      return environment.readFile(file, ...range);
    },
    readText: async (file, options) => {
      check(file);
      return environment.readText(file, options);
    },
    readBytes: async (file, options) => {
      check(file);
      return environment.readBytes(file, options);
    },
  };
}
