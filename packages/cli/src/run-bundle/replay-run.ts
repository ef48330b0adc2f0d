import { emptyRunView, runView, shownSteps } from '@attractor/api';
import { type Bundle, type BundlePart, bytesOfPiece, openBundle, type Versions } from '@attractor/bundle';
import { type CheckResult, type PlatformEvent, readEvent } from '@attractor/platform';
import { CommandFailure, EXIT, type ExitCode, unwrap, readableText, putBytes } from '@attractor/console';
import { durationText, facts, runLines, transcriptLines } from '@attractor/console/lines';
import type { LoneCall } from '../verbs/verb.ts';

/** Shows a run from its file, on any machine. What the file says is text, whatever is in it. */
export async function replayRun(call: LoneCall): Promise<ExitCode> {
  const file = call.arg(0);
  const bundle = unwrap(await openBundle(file));
  try {
    return await shown(call, bundle);
  } catch (error) {
    // Its lines are as they were written; somebody else wrote them.
    if (error instanceof TypeError || error instanceof RangeError)
      throw new CommandFailure(`${file} is not a bundle that this version can read (${error.message})`, EXIT.refused);
    throw error;
  }
}

async function shown(call: LoneCall, bundle: Bundle): Promise<ExitCode> {
  const { flags } = call;
  if (flags.has('again')) return (await import('./run-again.ts')).runAgain(call, bundle);
  if (flags.has('diff')) return showDiff(bundle);
  if (flags.has('checks')) return showChecks(call, bundle);
  if (flags.has('prompt')) return showPrompt(call, bundle);
  if (call.output.mode === 'json') return showLines(call, bundle);
  return showRun(call, bundle);
}

/** Byte for byte, unless a terminal reads it. */
async function showDiff(bundle: Bundle): Promise<ExitCode> {
  for await (const part of bundle.parts())
    if (part.part === 'patch' && part.of === 'whole') putBytes(process.stdout, bytesOfPiece(part));
  return EXIT.done;
}

async function showLines({ output }: LoneCall, bundle: Bundle): Promise<ExitCode> {
  output.write(`${JSON.stringify(bundle.header)}\n`);
  for await (const part of bundle.parts()) output.write(`${JSON.stringify(part)}\n`);
  return EXIT.done;
}

async function showPrompt({ output }: LoneCall, bundle: Bundle): Promise<ExitCode> {
  for await (const part of bundle.parts()) {
    if (part.part !== 'prompt') continue;
    output.write(output.mode === 'json' ? `${JSON.stringify(part.value)}\n` : `${readableText(part.value.text)}\n`);
  }
  return EXIT.done;
}

async function showChecks({ output, style }: LoneCall, bundle: Bundle): Promise<ExitCode> {
  let count = 0;
  for await (const part of bundle.parts()) {
    if (part.part === 'check') count += 1;
    if (part.part === 'check')
      output.write(output.mode === 'json' ? `${JSON.stringify(part.value)}\n` : checkHead(part.value));
    if (part.part === 'check_output' && output.mode === 'people')
      output.write(`${style.dim(readableText(bytesOfPiece(part).toString('utf8')).trimEnd())}\n`);
  }
  if (count === 0 && output.mode === 'people') output.write('No check ran.\n');
  return EXIT.done;
}

function checkHead({ name, phase, passed, exitCode, command, durationMs }: CheckResult): string {
  const how = passed ? 'passes' : `fails (exit code ${exitCode ?? 'none'})`;
  return `${readableText(name)} on the ${readableText(phase)} ${how} in ${durationText(durationMs)}: ${readableText(command)}\n`;
}

/** As `runs get` and `runs transcript` show it where it was. */
async function showRun({ output, style }: LoneCall, bundle: Bundle): Promise<ExitCode> {
  let view = emptyRunView(bundle.header.runId);
  const more = { versions: null as Versions | null, missing: [] as string[], title: '' };
  for await (const part of bundle.parts()) {
    if (part.part === 'event') view = runView.fold(view, eventOf(part));
    if (part.part === 'run') view = { ...view, run: part.value };
    if (part.part === 'task') more.title = part.value.title;
    if (part.part === 'versions') more.versions = part.value;
    if (part.part === 'missing') more.missing.push(part.text);
  }
  const { run } = view;
  if (run === null) throw new CommandFailure('the file does not say which run it is', EXIT.refused);
  const lines = [
    style.bold(readableText(more.title)),
    ...(bundle.header.isFinished ? [] : ['It had not ended when it was exported.']),
    ...runLines(run, style),
    ...facts(
      [
        ['exported', bundle.header.madeAt],
        ['by', versionLine(more.versions)],
      ],
      style,
    ),
    '',
    ...shownSteps(view.steps, run).map(
      ({ step, state, durationMs }) => `  ${step.padEnd(10)} ${state.padEnd(8)} ${durationText(durationMs)}`,
    ),
    '',
    ...transcriptLines(view.turns, style),
    ...more.missing.map((text) => `Not in the file: ${readableText(text)}`),
  ];
  output.write(output.mode === 'quiet' ? `${run.id}\n` : `${lines.join('\n')}\n`);
  return EXIT.done;
}

function eventOf({ value }: BundlePart & { readonly part: 'event' }): PlatformEvent {
  return readEvent(value);
}

function versionLine(versions: Versions | null): string {
  if (versions === null) return '';
  return readableText(`attractor ${versions.attractor}, node ${versions.node}, ${versions.git}, ${versions.os}`);
}
