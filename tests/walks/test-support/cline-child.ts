// Cline's own engine, as its command line starts it: `node cline-child.ts INDEX BASE-URL` says hello and prints the answer.
import { pathToFileURL } from 'node:url';

type Started = { readonly result?: { readonly text?: string } };
type Core = {
  readonly start: (input: object) => Promise<Started>;
  readonly dispose: () => Promise<void>;
};
type Cline = { readonly ClineCore: { readonly create: (options: object) => Promise<Core> } };

const [, , index = '', baseUrl = ''] = process.argv;
const { ClineCore }: Cline = await import(pathToFileURL(index).href);
const core = await ClineCore.create({ clientName: 'test', backendMode: 'local' });
const cwd = process.cwd();
const model = { providerId: 'anthropic', modelId: 'claude-sonnet-4-5', apiKey: 'none', baseUrl: `${baseUrl}/v1` };
const { result } = await core.start({
  config: {
    ...model,
    cwd,
    workspaceRoot: cwd,
    systemPrompt: 'You help.',
    enableTools: true,
    enableSpawnAgent: false,
    enableAgentTeams: false,
  },
  prompt: 'Say hello',
  interactive: false,
});
process.stdout.write(`${result?.text ?? ''}\n`);
await core.dispose();
process.exit(0);
