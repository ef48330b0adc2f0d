import { type Answer, type ApiClient, type Left, leftOf } from '@attractor/api';
import type { Connection } from '../connection.ts';
import { EXIT, type ExitCode, type Style } from '@attractor/console';
import type { Flag, FlagValues } from './flag.ts';
import { type LeftOut, tellLeft, print, type Output, valueOf } from '@attractor/console/lines';
import { type Busy, showCall } from './show-call.ts';

/** What a verb sees of the command line, and its connection. */
export type Call = {
  /** The argument at this position; a required one is always present. */
  readonly arg: (place: number) => string;
  /** The argument at this position as it was typed: what a person calls it. */
  readonly given: (place: number) => string;
  /** All arguments from this position on, for a verb that takes any number of them. */
  readonly rest: (place: number) => ReadonlyArray<string>;
  readonly flags: FlagValues;
  readonly client: ApiClient;
  readonly where: Connection['where'];
  /** Of the server; of the home folder if none is needed. */
  readonly address: string;
  /** The id of the selected project; stops the command if there is none. */
  readonly project: () => Promise<string>;
  readonly projectIfAny: () => Promise<string | null>;
  /** The id of the project with this id, name or path; absent: as `project`. */
  readonly projectNamed: (name: string | undefined) => Promise<string>;
  /** The JSON object on stdin, if a script pipes one in and no flag replaces it; otherwise null. */
  readonly input: () => Promise<Readonly<Record<string, unknown>> | null>;
  readonly output: Output;
  readonly style: Style;
  /** For people, on stderr. Not with --quiet or --json. */
  readonly say: (text: string) => void;
};

/** What a verb sees that needs neither a server nor a database. */
export type LoneCall = Pick<Call, 'arg' | 'rest' | 'flags' | 'output' | 'style' | 'say'>;

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

/** A verb for any machine: it opens no connection and no home. */
export type LoneVerb = Omit<Verb, 'run'> & { readonly runAlone: (call: LoneCall) => Promise<ExitCode> };

type Declared<Value> = Omit<Verb, 'run'> & {
  /** One call of the API; with --json its answer is printed unchanged. */
  readonly call: (call: Call) => Promise<Answer<Value>>;
  /** The lines for a person. */
  readonly show: (value: Value, call: Call) => ReadonlyArray<string>;
  /** What is said while the call takes long; with `of` also what the log says meanwhile. Absent: the name of the verb. */
  readonly busy?: (call: Call) => Busy;
  /** The lines for --quiet. Absent: the ids. */
  readonly ids?: (value: Value) => ReadonlyArray<string>;
  readonly exit?: (value: Value) => ExitCode;
  /** For a list that may leave something out: how much, if the answer does not say so, and how it can be had. */
  readonly more?: (value: Value, answered: Left) => LeftOut;
};

/** A verb that is one call of the API and a way to show its answer. */
export function verb<Value>({ call: ask, show, ids, exit, more, busy, ...declared }: Declared<Value>): Verb {
  return {
    ...declared,
    run: async (call) => {
      const answer = await showCall(call, busy?.(call) ?? { doing: declared.name }, () => ask(call));
      const value = valueOf(answer);
      await print(call.output, {
        value,
        lines: () => show(value, call),
        ...(ids === undefined ? {} : { ids: () => ids(value) }),
      });
      if (more !== undefined) tellLeft(call, more(value, leftOf(answer)));
      return exit?.(value) ?? EXIT.done;
    },
  };
}
