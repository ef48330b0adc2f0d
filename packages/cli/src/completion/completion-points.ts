import type { Command } from 'commander';

/** What may follow a sequence of commands: subcommand names and flags. */
export type CompletionPoint = {
  /** The commands so far, without `attractor`, such as `tasks create`. */
  readonly path: string;
  readonly words: ReadonlyArray<CompletionWord>;
};

export type CompletionWord = { readonly word: string; readonly about: string };

/** Every point of the program, starting with the program itself: hidden commands are left out, and an alias leads where its name leads. */
export function completionPoints(program: Command): ReadonlyArray<CompletionPoint> {
  return pointsOf(program, ['']);
}

function pointsOf(command: Command, paths: ReadonlyArray<string>): ReadonlyArray<CompletionPoint> {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((sub) => sub.name() !== 'help');
  const words = [
    ...commands.map((sub) => ({ word: sub.name(), about: sub.summary() || sub.description() })),
    ...help.visibleOptions(command).flatMap(({ long, short, description }) => {
      const word = long ?? short;
      return word === undefined || word === null ? [] : [{ word, about: description }];
    }),
  ];
  const deeper = commands.flatMap((sub) =>
    pointsOf(
      sub,
      paths.flatMap((path) => [sub.name(), ...sub.aliases()].map((name) => `${path} ${name}`.trim())),
    ),
  );
  return [...paths.map((path) => ({ path, words })), ...deeper];
}
