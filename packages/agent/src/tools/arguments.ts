import { EnvironmentError, type ToolExecutor, type ToolResult } from '../types/index.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** Dispatch has validated the arguments already; these checks matter when an executor is called directly. */
export function requiredText(args: Arguments, name: string): string {
  const value = args[name];
  if (typeof value === 'string') return value;
  throw new EnvironmentError({
    code: 'invalid_arguments',
    message: `The argument ${name} is missing or not a string.`,
  });
}

export function optionalText(args: Arguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

export function optionalNumber(args: Arguments, name: string): number | undefined {
  const value = args[name];
  return typeof value === 'number' ? value : undefined;
}

/** Expected failures become an error result with the environment's message; anything else is a bug and is rethrown. */
export function answering(executor: ToolExecutor): ToolExecutor {
  return async (args, env, context) => {
    try {
      return await executor(args, env, context);
    } catch (error) {
      if (error instanceof EnvironmentError) return failure(error.message);
      throw error;
    }
  };
}

/** A result that tells the model what was wrong. */
export function failure(output: string): ToolResult {
  return { output, isError: true };
}
