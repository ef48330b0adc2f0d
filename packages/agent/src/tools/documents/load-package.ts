/**
 * A package that is large and seldom needed, from where it is installed. The name is a value, so that a bundler leaves it there and
 * everybody else starts as fast as without it. Null: it is not installed.
 */
export async function loadPackage<Exports>(name: string): Promise<Exports | null> {
  try {
    const exports: Exports = await import(name);
    return exports;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}
