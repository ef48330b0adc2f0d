import {
  controlResponse,
  createControlChannel,
  type HeadlessInput,
  type Initialized,
  InputProblem,
  noInput,
  oneAfterTheOther,
  oneInput,
  type PipedText,
  readImage,
  readInitialize,
  readInputLines,
  wholeText,
} from '@attractor/headless';
import { CommandFailure, EXIT } from '@attractor/console';

export type RunInput = Pick<HeadlessInput, 'inputs' | 'control'> & { readonly initialized: Initialized | null };

export type InputSource = {
  /** Undefined: it comes on stdin. Null: there is none, the session only finishes its open work. */
  readonly prompt: string | undefined | null;
  /** Files of pictures that go with the prompt. */
  readonly images: ReadonlyArray<string>;
  readonly format: 'text' | 'stream-json';
  /** A function, because merely naming stdin opens it. */
  readonly stdin: () => NodeJS.ReadStream;
  /** Beside the prompt; null if there is none, or if stdin carries lines. */
  readonly piped: PipedText | null;
  readonly signal: AbortSignal;
  readonly write: HeadlessInput['write'];
  readonly tell: (text: string) => void;
};

/** Waits until there is something to do: a text, or a first line. Nothing is created before. */
export async function runInput(source: InputSource): Promise<RunInput> {
  try {
    return source.format === 'text' ? await textInput(source) : await linesInput(source);
  } catch (error) {
    throw error instanceof InputProblem ? new CommandFailure(error.message, EXIT[error.code]) : error;
  }
}

async function textInput({ prompt, images, stdin, piped, signal, tell }: InputSource): Promise<RunInput> {
  if (prompt === undefined) return alone(await wholeText(stdin(), signal, tell), images);
  if (prompt === null) return alone(null, []);
  const beside = (await piped?.(signal, tell)) ?? '';
  return alone(beside === '' ? prompt : `${prompt}\n\n${beside}`, images);
}

function alone(text: string | null, images: ReadonlyArray<string>): RunInput {
  return { inputs: oneInput(text, images.map(readImage)), control: null, initialized: null };
}

async function linesInput({ prompt, images, stdin, signal, write }: InputSource): Promise<RunInput> {
  const channel = createControlChannel(write);
  const lines = readInputLines(stdin(), { signal, channel });
  const inputs = typeof prompt === 'string' ? oneAfterTheOther(oneInput(prompt, images.map(readImage)), lines) : lines;
  const control = { lines, channel };
  const first = await lines.first;
  if (first.kind === 'end' && prompt === undefined && !signal.aborted) {
    // A first line that can't be read says more.
    await lines.next();
    throw noInput();
  }
  if (first.kind !== 'initialize') return { inputs, control, initialized: null };
  const initialized = readInitialize(first.line, channel);
  if (initialized.refused.length === 0) return { inputs, control, initialized };
  const error = `can't be honoured: ${initialized.refused.join('; ')}.`;
  write(controlResponse(initialized.requestId, { error }));
  lines.close();
  throw new CommandFailure(error, EXIT.usage);
}
