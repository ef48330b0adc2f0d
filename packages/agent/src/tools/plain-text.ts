/** Terminal sequences: OSC strings, CSI codes, other escapes; then every control character but tab and newline. */
// eslint-disable-next-line no-control-regex -- naming control characters is the point
const SEQUENCES = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[@-Z\\-_]?/g;
// eslint-disable-next-line no-control-regex -- naming control characters is the point
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text that can't steer a terminal: colours and cursor moves are dropped, `\r\n` is a newline, a lone `\r` begins a new line. */
export function plainText(text: string): string {
  return text.replaceAll(SEQUENCES, '').replaceAll(/\r+\n/g, '\n').replaceAll('\r', '\n').replaceAll(CONTROLS, '');
}
