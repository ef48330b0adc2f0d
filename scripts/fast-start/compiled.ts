import { defined } from '@attractor/base';

/**
 * A CommonJS file together with the code that V8 compiled for it at build time. Node's own compile cache holds what is compiled when a file
 * is loaded; this holds every function that a short conversation has used, so that none is compiled again.
 *
 * The code file begins with a line that names the source and the Node it was made for: code of another build or of another Node is never
 * run. V8 itself refuses code that was made under other flags.
 */
export type Compiled<Exports> = {
  readonly run: () => Exports;
  /** The code file's content, with everything compiled so far. */
  readonly code: () => Uint8Array;
  /** Whether the code file existed and matched. */
  readonly wasCompiled: boolean;
};

/** `require` is the one that the file sees. */
export function openCompiled<Exports>(file: string, require: NodeJS.Require): Compiled<Exports> {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { Script, constants } = process.getBuiltinModule('node:vm');
  const source = readFileSync(file, 'latin1');
  const mark = `${source.slice(0, source.indexOf('\n'))} ${process.version} ${process.arch}\n`;
  const cachedData = compiledCode(`${file}.code`, mark);
  const script = new Script(`${HEAD}${source}\n})`, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...defined({ cachedData }),
  });
  return {
    run: () => {
      const module = { exports: {} as Exports };
      const folder = file.slice(0, file.lastIndexOf('/'));
      script.runInThisContext()(module.exports, require, module, file, folder);
      return module.exports;
    },
    code: () => Buffer.concat([Buffer.from(mark), script.createCachedData()]),
    wasCompiled: cachedData !== undefined && script.cachedDataRejected === false,
  };
}

const HEAD = '(function(exports,require,module,__filename,__dirname){';

function compiledCode(file: string, mark: string): Buffer | undefined {
  try {
    const whole = process.getBuiltinModule('node:fs').readFileSync(file);
    return whole.toString('latin1', 0, mark.length) === mark ? whole.subarray(mark.length) : undefined;
  } catch {
    return undefined;
  }
}
