import { defined } from '@attractor/base';
import { harmlessStyled } from './put.ts';

const CTRL_C = '\u0003';

/**
 * Asks until the person answers or leaves, or `signal` takes the question away: that closes it on the screen as well, as if they had left.
 */
async function until<Answer>(signal: AbortSignal | undefined, ask: () => Promise<Answer>): Promise<Answer | null> {
  if (signal?.aborted === true) return null;
  const take = (): void =>
    void process.stdin.emit('keypress', CTRL_C, { sequence: CTRL_C, name: 'c', ctrl: true, meta: false, shift: false });
  signal?.addEventListener('abort', take, { once: true });
  try {
    return await ask();
  } finally {
    signal?.removeEventListener('abort', take);
  }
}

export type Choice<Value extends string> = { readonly value: Value; readonly label: string; readonly hint?: string };

/** Yes or no at the person's terminal; no if they leave. */
export async function confirm(message: string): Promise<boolean> {
  const clack = await import('@clack/prompts');
  return (await clack.confirm({ message: harmlessStyled(message), initialValue: false })) === true;
}

/** Null if the person leaves, or `signal` takes the question away. */
export async function choose<Value extends string>(
  message: string,
  options: ReadonlyArray<Choice<Value>>,
  signal?: AbortSignal,
): Promise<Value | null> {
  const clack = await import('@clack/prompts');
  const shown = options.map(({ value, label, hint }) => ({
    value: value as string,
    label: harmlessStyled(label),
    ...defined({ hint: hint === undefined ? undefined : harmlessStyled(hint) }),
  }));
  const choice = await until(signal, () => clack.select<string>({ message: harmlessStyled(message), options: shown }));
  return clack.isCancel(choice) ? null : (options.find(({ value }) => value === choice)?.value ?? null);
}

export type KeyedChoice = Choice<string> & { readonly key: string };

/** By one key, without Enter: `y`, `n`, `e`. Null if the person leaves, or `signal` takes the question away. */
export async function chooseByKey(
  message: string,
  options: ReadonlyArray<KeyedChoice>,
  signal?: AbortSignal,
): Promise<string | null> {
  const clack = await import('@clack/prompts');
  const shown = options.map(({ key, label, hint }) => ({
    value: key,
    label: harmlessStyled(label),
    ...defined({ hint: hint === undefined ? undefined : harmlessStyled(hint) }),
  }));
  for (;;) {
    const pressed = await until(signal, () =>
      clack.selectKey<string>({ message: harmlessStyled(message), options: shown }),
    );
    if (pressed === null || clack.isCancel(pressed)) return null;
    const chosen = options.find(({ key }) => key === pressed);
    // Enter alone chooses nothing.
    if (chosen !== undefined) return chosen.value;
  }
}

export type TextQuestion = {
  readonly message: string;
  readonly initial?: string | undefined;
  /** Why a text can't be taken; absent: every text can. */
  readonly problem?: (text: string) => string | undefined;
  /** Takes the question away. */
  readonly signal?: AbortSignal | undefined;
};

/** A line of text; null if the person leaves. */
export async function askText({ message, initial, problem, signal }: TextQuestion): Promise<string | null> {
  const clack = await import('@clack/prompts');
  const text = await until(signal, async () => {
    const given = await clack.text({
      message: harmlessStyled(message),
      ...defined({
        initialValue: initial === undefined ? undefined : harmlessStyled(initial),
        validate: problem === undefined ? undefined : (value: string | undefined) => problem(value ?? ''),
      }),
    });
    return given ?? '';
  });
  return clack.isCancel(text) ? null : text;
}

/** A text in a frame, above a question. */
export async function showNote(text: string, title?: string): Promise<void> {
  const clack = await import('@clack/prompts');
  clack.note(harmlessStyled(text), title === undefined ? title : harmlessStyled(title), { format: (line) => line });
}
