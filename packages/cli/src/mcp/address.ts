import { CommandFailure, EXIT } from '@attractor/console';

export function httpAddress(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new CommandFailure(
    `'${text}' is not an address: expected one that begins with https:// or http://.`,
    EXIT.usage,
  );
}
