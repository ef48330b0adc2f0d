export { fillOddly, oddCommand, plantProgram } from '../test-support/odd-folders.ts';
export { createTracer, type Trespass } from '../test-support/traced-run.ts';
