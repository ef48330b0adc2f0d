export type Piece = { readonly name: string; readonly bytes: Uint8Array };

export type Places = {
  readonly id: string;
  readonly names: ReadonlyArray<string>;
  readonly read: (name: string) => Buffer | undefined;
};

export function placed(id: string, pieces: ReadonlyArray<Piece>): Buffer;
export function openPlaces(file: string): Places;
