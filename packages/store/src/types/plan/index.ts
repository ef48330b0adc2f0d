export { deviation, type Deviation, deviationLine } from './deviation.ts';
export { isMeantAsPlan, plan, type Plan, planFields, planProblemText } from './plan.ts';
export { planMarkdown } from './plan-markdown.ts';
export { ofPlan, planIn, readPlanText } from './read-plan-text.ts';
