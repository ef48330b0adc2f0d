import { defined } from '@attractor/base';
import type { DeliveredEvent } from '@attractor/journal';
import { type LlmConfiguration, type Middleware, SERVICES } from '@attractor/llm';

/** Whether the model's thinking is told, or only that it thought. */
const THINKING_DISPLAYS = ['summarized', 'omitted'] as const;

export type ThinkingDisplay = (typeof THINKING_DISPLAYS)[number];

/** What Anthropic's service is told beside the conversation. */
export type ServiceWishes = {
  readonly betas?: ReadonlyArray<string>;
  /** Tokens by which the service lets the model pace itself. */
  readonly taskBudget?: number;
  readonly thinkingDisplay?: ThinkingDisplay;
};

export type LiveWishes = {
  /** Said with every request; services of others are not sent it. */
  readonly middleware: Middleware;
  /** From the next request on. Null: as at the start. */
  readonly show: (display: ThinkingDisplay | null) => void;
  /** An event as a program may read it. */
  readonly seen: (event: DeliveredEvent) => DeliveredEvent;
};

export function createWishes({ betas, taskBudget, thinkingDisplay }: ServiceWishes): LiveWishes {
  let display = thinkingDisplay;
  return {
    middleware: (request, next) => {
      const own = defined({
        betaHeaders: betas,
        taskBudget: taskBudget === undefined ? undefined : { type: 'tokens', total: taskBudget },
        thinkingDisplay: display,
      });
      if (Object.keys(own).length === 0) return next(request);
      const anthropic = { ...request.providerOptions?.['anthropic'], ...own };
      return next({ ...request, providerOptions: { ...request.providerOptions, anthropic } });
    },
    show: (asked) => void (display = asked ?? thinkingDisplay),
    seen: (event) => (display === 'omitted' ? withoutThoughts(event) : event),
  };
}

const SPEAKS_ANTHROPIC: ReadonlySet<string> = new Set(['anthropic', 'bedrock', 'vertex-anthropic']);

/** Why the run can't begin, or null: to the service that is asked it means nothing, and the run would be another one without it. */
export function wishProblem(
  { betas, taskBudget }: ServiceWishes,
  { provider, llm }: { readonly provider: string; readonly llm: LlmConfiguration },
): string | null {
  const row = SERVICES.find(({ id }) => id === provider);
  if (SPEAKS_ANTHROPIC.has(llm.providers?.[provider]?.protocol ?? row?.protocol ?? '')) return null;
  const asked = [
    ...((betas ?? []).length > 0 ? ['--betas'] : []),
    ...(taskBudget === undefined ? [] : ['--task-budget']),
  ];
  if (asked.length === 0) return null;
  return `${asked.join(' and ')}: only Anthropic's service knows this, and this run asks ${provider}.`;
}

export function displayNamed(text: unknown): ThinkingDisplay | undefined {
  return THINKING_DISPLAYS.find((one) => one === text);
}

/** The same event without what the model thought. */
function withoutThoughts(event: DeliveredEvent): DeliveredEvent {
  if (event.kind === 'THINKING_DELTA') return { ...event, text: '' };
  if (event.kind === 'SUBAGENT_EVENT') {
    const { seq, at, sessionId } = event;
    const { seq: _seq, at: _at, sessionId: _id, ...inner } = withoutThoughts({ ...event.event, seq, at, sessionId });
    return { ...event, event: inner as typeof event.event };
  }
  if (event.kind !== 'ASSISTANT_MESSAGE') return event;
  const content = event.content.map((part) => (part.kind === 'THINKING' ? { ...part, text: '' } : part));
  return { ...event, content };
}
