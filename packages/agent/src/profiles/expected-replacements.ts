import { EnvironmentError, type ExecutionEnvironment, type ToolResult } from '../types/index.ts';

/**
 * Refuses an edit whose old_string occurs more often, or less often, than the model believes. A text that is not there at all
 * is left to the tool, which knows how to look for what comes near.
 */
export async function replacementsAsExpected(
  args: Readonly<Record<string, unknown>>,
  env: ExecutionEnvironment,
): Promise<ToolResult | null> {
  const { file_path: file, old_string: wanted, expected_replacements: expected = 1 } = args;
  if (typeof file !== 'string' || typeof wanted !== 'string' || wanted === '') return null;
  const found = occurrences(await textOf(env, file), wanted);
  if (found === 0 || found === expected) return null;
  return {
    output: `${file} was not changed: old_string occurs ${times(found)}, expected_replacements is ${String(expected)}. Set expected_replacements to ${found}, or take in more lines around the place you mean.`,
    isError: true,
  };
}

/** What can't be read holds nothing; the tool itself says why. */
async function textOf(env: ExecutionEnvironment, file: string): Promise<string> {
  try {
    return await env.readText(file);
  } catch (error) {
    if (error instanceof EnvironmentError) return '';
    throw error;
  }
}

/** Line ends don't count: models write \n, whatever the file has. */
function occurrences(text: string, wanted: string): number {
  return text.replaceAll('\r\n', '\n').split(wanted.replaceAll('\r\n', '\n')).length - 1;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
