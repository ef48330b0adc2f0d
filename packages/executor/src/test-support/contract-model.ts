import { parseScript, type Simulator, startSimulator } from '@attractor/simulator';
import { CONTRACT_DIALOGUES, type ContractDialogue } from '../testing/index.ts';

type Script = Parameters<typeof startSimulator>[0]['script'];

/** The dialogues of the contract suite on the real wire; `toolName` is the reading tool's name there. */
export function startContractModel(toolName: string): Promise<Simulator> {
  const dialogues: ReadonlyArray<ContractDialogue> = CONTRACT_DIALOGUES;
  return startModel({
    conversations: dialogues.map(({ first, replies }) => ({
      name: first,
      match: { firstUser: first },
      turns: replies.map(({ text, reads = [], heard }) => ({
        ...(text === '' ? {} : { text }),
        ...(heard === undefined ? {} : { expect: { toolResult: heard } }),
        ...(reads.length === 0 ? {} : { toolCalls: reads.map((path) => ({ name: toolName, args: { path } })) }),
      })),
    })),
  });
}

/** A model that fails every request in this way. */
export function startFailingModel(fault: unknown): Promise<Simulator> {
  return startModel({ turns: [{ text: 'Never said.', fault, repeat: 'forever' }] });
}

async function startModel(value: unknown): Promise<Simulator> {
  const parsed = parseScript(value);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const script: Script = parsed.script;
  return startSimulator({ script });
}
