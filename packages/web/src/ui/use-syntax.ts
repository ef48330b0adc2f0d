import { useEffect, useState } from 'react';
import type { codeLines } from './syntax.ts';

type Syntax = { readonly codeLines: typeof codeLines };

let loaded: Syntax | null = null;

/** What colours code, once it has arrived: until then, and where it can not be had, code is plain. */
export function useSyntax(): Syntax | null {
  const [syntax, setSyntax] = useState(loaded);
  useEffect(() => {
    if (loaded !== null) return undefined;
    let isShown = true;
    void import('./syntax.ts').then(
      (part) => {
        loaded = part;
        if (isShown) setSyntax(part);
      },
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, []);
  return syntax;
}
