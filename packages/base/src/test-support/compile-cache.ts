import { tmpdir } from 'node:os';
import path from 'node:path';

/** For the environment of a program that a test starts from its sources: all of them share what is compiled. */
export function compileCache(): { readonly NODE_COMPILE_CACHE: string } {
  return { NODE_COMPILE_CACHE: path.join(tmpdir(), 'compiled') };
}
