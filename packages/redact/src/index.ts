export { redactStream, type RedactedStream } from './redact-stream.ts';
export { createRedactor, holdsMask, redactText, type Redactor } from './redactor.ts';
export { scanForSecrets } from './scan-files.ts';
export { isSecretVariable, secretValues } from './secret-variables.ts';
export { sensitiveKind } from './sensitive-names.ts';
