export type { Receiver } from './receiver.ts';
export { startReceiver } from './receiver.ts';
export { signatureOf } from '../signature.ts';
