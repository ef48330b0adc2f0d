import { callMcpServer } from '@attractor/mcp';
import { CommandFailure, EXIT, readableText, putText } from '@attractor/console';
import { VERSION } from '../version.ts';
import { httpAddress } from './address.ts';

export type LoginFlags = { readonly clientId?: string; readonly callbackPort?: number };

/** `attractor mcp login`: shows the sign-in page, waits for the browser's callback, and stores the tokens. */
export async function login(url: string, flags: LoginFlags, home: string): Promise<number> {
  const server = callMcpServer(
    {
      name: httpAddress(url),
      scope: 'flag',
      transport: { kind: 'http', url, headers: {}, oauth: { ...flags } },
    },
    {
      workspace: process.cwd(),
      version: VERSION,
      home,
      authorize: async ({ url: page }) => {
        putText(process.stdout, `Open this page to sign in (it comes back to this machine):\n${readableText(page)}\n`);
      },
    },
  );
  const listed = await server.tools();
  await server.close();
  if (!listed.ok) throw new CommandFailure(listed.error.message, EXIT.unauthorised);
  putText(process.stdout, `Signed in to ${url}: ${listed.value.length} tools.\n`);
  return EXIT.done;
}
