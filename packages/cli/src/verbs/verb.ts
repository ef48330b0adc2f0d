import type { Answer, ApiClient } from '@attractor/api';
import type { Connection } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Style } from '../terminal/style.ts';
import type { Flag, FlagValues } from './flag.ts';
import { print, type Output } from './print.ts';
import { valueOf } from './value-of.ts';

/** What a verb sees of the command line and of the place it speaks to. */
export type Call = {
  /** The argument at this place; one that is required is always there. */
  readonly arg: (place: number) => string;
  /** All arguments from this place on, of a verb that takes any number of them. */
  readonly rest: (place: number) => ReadonlyArray<string>;
  readonly flags: FlagValues;
  readonly client: ApiClient;
  readonly where: Connection['where'];
  /** The id of the project that is meant; stops the command where none can be found. */
  readonly project: () => Promise<string>;
  readonly projectIfAny: () => Promise<string | null>;
  /** The id of the project with this id, name or path; absent: as `project`. */
  readonly projectNamed: (name: string | undefined) => Promise<string>;
  /** The JSON object on stdin, where a script pipes one in and no flag says the same; else null. */
  readonly input: () => Promise<Readonly<Record<string, unknown>> | null>;
  readonly output: Output;
  readonly style: Style;
  /** For people, on stderr. Not with --quiet or --json. */
  readonly say: (text: string) => void;
};

export type VerbArgument = {
  /** As commander reads it: `<id>`, `[file]`, `<id...>`. */
  readonly name: string;
  readonly about: string;
};

/** One subcommand of a noun. */
export type Verb = {
  readonly name: string;
  readonly alias?: string;
  readonly summary: string;
  readonly arguments?: ReadonlyArray<VerbArgument>;
  readonly flags?: ReadonlyArray<Flag>;
  /** Command lines without the leading `attractor`. */
  readonly examples: ReadonlyArray<string>;
  /** More for the help, such as the shape of the JSON on stdin. */
  readonly notes?: string;
  readonly run: (call: Call) => Promise<ExitCode>;
};

type Declared<Value> = Omit<Verb, 'run'> & {
  /** One call of the API; with --json its answer is printed as it is. */
  readonly call: (call: Call) => Promise<Answer<Value>>;
  /** What a person sees of it, a line each. */
  readonly show: (value: Value, call: Call) => ReadonlyArray<string>;
  /** What --quiet prints, a line each. Absent: the ids. */
  readonly ids?: (value: Value) => ReadonlyArray<string>;
  readonly exit?: (value: Value) => ExitCode;
};

/** A verb that is one call of the API and a way to show its answer. */
export function verb<Value>({ call: ask, show, ids, exit, ...declared }: Declared<Value>): Verb {
  return {
    ...declared,
    run: async (call) => {
      const value = valueOf(await ask(call));
      print(call.output, {
        value,
        lines: () => show(value, call),
        ...(ids === undefined ? {} : { ids: () => ids(value) }),
      });
      return exit?.(value) ?? EXIT.done;
    },
  };
}
