import { CommandFailure, EXIT } from '../exit.ts';

/** All of stdin. Never waits for a person to type what a script should have piped. */
export async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) throw new CommandFailure('expected JSON on stdin; see --help for an example.', EXIT.usage);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
