/** Parts that several places use and this page does not show, each with its reason. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  AllowAlways: 'Part of ToolApproval.',
  Decisions: 'Part of PlanApproval and SplitForm.',
  SplitEditor: 'Opens inside SplitForm.',
  ReviewForm: 'Reads the change from the server: shown by the inbox.',
  PromptAnswerForm: 'Only chooses the form, and sends its answer to the server.',
  WaitingPanels: 'Lays out the forms of a task that the server knows.',
  WhenWaiting: 'Loads the forms once there is something to answer.',
  AnsweredMeanwhile: 'Needs two people and a draft: shown by the walk of two browsers.',
  ContextRing: 'A Ring with what the server says of a model.',
  LongTurns: 'Only places what it is given.',
  NextSteps: 'Buttons for what the server offers next.',
  StepElsewhere: 'A line for what is done in another place.',
  SteerBox: 'A MessageField that sends to a run of the server.',
  Transcript: 'Made of Markdown and ToolCall, with the tools that the server knows.',
  ChangedPicture: 'Loads both pictures from the server.',
  Toasts: 'Its lines are shown as ToastLine; the page has them, too.',
};
