export { deviation, type Deviation, deviationLine } from './deviation.ts';
export { isMeantAsPlan, plan, type Plan, planFields, type PlanProblem, planProblemText } from './plan.ts';
export { planMarkdown } from './plan-markdown.ts';
export { ofPlan, planIn, type PlanText, readPlanText } from './read-plan-text.ts';
