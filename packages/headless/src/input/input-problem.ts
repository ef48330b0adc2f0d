/** Input that can't be used; the message says what to do. `refused`: it could be used elsewhere, not here. */
export class InputProblem extends Error {
  readonly code: 'usage' | 'refused';

  constructor(message: string, code: 'usage' | 'refused' = 'usage') {
    super(message);
    this.code = code;
  }
}

export function noInput(): InputProblem {
  return new InputProblem('no prompt: pass it as `attractor -p "…"` or on stdin.');
}
