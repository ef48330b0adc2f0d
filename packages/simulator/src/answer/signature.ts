import { hash } from 'node:crypto';

/**
 * Proof that a thinking block came from this simulator unchanged. It depends only on model and text, so that a restarted simulator still
 * recognises its own.
 */
export function signThinking(model: string, text: string): string {
  return hash('sha256', `thinking\0${model}\0${text}`, 'base64');
}

/** The opaque form of thinking: the text is inside, sealed for its model. */
export function sealThinking(model: string, text: string): string {
  return Buffer.from(JSON.stringify([signThinking(model, text), model, text])).toString('base64');
}

/** True for any seal this simulator made for the model, whatever the text. */
export function isSealFor(model: string, sealed: string): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(sealed, 'base64').toString('utf8'));
    if (!Array.isArray(value)) return false;
    const [signature, sealedModel, text] = value as unknown[];
    return sealedModel === model && typeof text === 'string' && signature === signThinking(model, text);
  } catch {
    return false;
  }
}

/** Short, url-safe and deterministic; for ids. */
export function shortHash(text: string, length = 24): string {
  return hash('sha256', text, 'hex').slice(0, length);
}
