/**
 * Loads a large, rarely needed package from where it is installed. The name is a value, so that a bundler leaves the package out and
 * start-up stays fast. Null: it is not installed.
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
