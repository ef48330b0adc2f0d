export { fillOddly, oddCommand, plantProgram } from '../test-support/odd-folders.ts';
export { boxOf, createTracer, type Trespass } from '../test-support/traced-run.ts';
