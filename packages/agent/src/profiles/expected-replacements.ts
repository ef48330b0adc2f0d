import { EnvironmentError, type ExecutionEnvironment, type ToolResult } from '../types/index.ts';

/**
 * Refuses an edit if old_string occurs more or less often than the model says. A text that does not occur at all is left to the tool, which
 * can suggest near matches.
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

/** An unreadable file counts as empty; the tool itself reports why. */
async function textOf(env: ExecutionEnvironment, file: string): Promise<string> {
  try {
    return await env.readText(file);
  } catch (error) {
    if (error instanceof EnvironmentError) return '';
    throw error;
  }
}

/** Line endings are ignored: models write \n, whatever the file has. */
function occurrences(text: string, wanted: string): number {
  return text.replaceAll('\r\n', '\n').split(wanted.replaceAll('\r\n', '\n')).length - 1;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
