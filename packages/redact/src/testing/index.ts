export { ALL_KINDS, type Planted } from '../test-support/planted-secrets.ts';
