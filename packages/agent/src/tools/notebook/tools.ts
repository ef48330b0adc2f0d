import { defined } from '@attractor/base';
import type { RegisteredTool, ToolExecutor } from '../../types/index.ts';
import { answering, failure, optionalText, requiredText, type Arguments } from '../arguments.ts';
import { knownVersion, rememberFile, rememberWritten } from '../seen-files.ts';
import { type CellEdit, editCells, parseNotebook, placeOf } from '@attractor/files';
import { renderNotebook } from './render.ts';

const NOTEBOOK_PATH = { type: 'string', description: 'The notebook (.ipynb).' };

/** `notebook_read`: the cells of a Jupyter notebook and what they printed. */
export function createNotebookReadTool(): RegisteredTool {
  return {
    definition: {
      name: 'notebook_read',
      description: 'Shows the cells of a Jupyter notebook with their ids, sources and outputs.',
      parameters: {
        type: 'object',
        properties: {
          notebook_path: NOTEBOOK_PATH,
          cell_id: { type: 'string', description: 'Only this cell.' },
        },
        required: ['notebook_path'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args, env) => {
      const file = requiredText(args, 'notebook_path');
      await rememberFile(env, file);
      const parsed = parseNotebook(await env.readText(file));
      if (!parsed.ok) return failure(`${file} can't be shown as a notebook: ${parsed.message}`);
      const wanted = optionalText(args, 'cell_id');
      if (wanted === undefined) return renderNotebook(parsed.notebook);
      const cell = parsed.notebook.cells[placeOf(parsed.notebook, wanted) ?? -1];
      return cell === undefined ? failure(`${file} has no cell ${wanted}.`) : renderNotebook(parsed.notebook, [cell]);
    }),
    readOnly: true,
  };
}

/** `notebook_edit`: replaces, inserts or deletes one cell. */
export function createNotebookEditTool(): RegisteredTool {
  return {
    definition: {
      name: 'notebook_edit',
      description:
        'Replaces the source of a notebook cell, inserts a cell behind another one (or at the beginning), or deletes one. Everything else in the notebook stays as it is; a changed code cell loses its outputs.',
      parameters: {
        type: 'object',
        properties: {
          notebook_path: NOTEBOOK_PATH,
          cell_id: {
            type: 'string',
            description: 'The cell; for insert: the one to insert behind, none for the beginning.',
          },
          new_source: { type: 'string', description: 'The whole source of the cell. Not looked at for delete.' },
          cell_type: {
            type: 'string',
            enum: ['code', 'markdown'],
            description: 'Default: as it is; for insert: code.',
          },
          edit_mode: { type: 'string', enum: ['replace', 'insert', 'delete'], description: 'Default: replace.' },
        },
        required: ['notebook_path', 'new_source'],
        additionalProperties: false,
      },
    },
    executor: notebookEditExecutor,
    serial: true,
  };
}

const DONE: Readonly<Record<CellEdit['mode'], string>> = {
  replace: 'Replaced the source of',
  insert: 'Inserted',
  delete: 'Deleted',
};

/** As with other edits: refused if the file is not the one that was read. */
const notebookEditExecutor: ToolExecutor = answering(async (args, env, context) => {
  const file = requiredText(args, 'notebook_path');
  if (!requiredText(args, 'new_source').isWellFormed())
    return failure(`${file} was not changed: the source is not valid Unicode text.`);
  const version = (await env.fileVersion?.(file)) ?? undefined;
  const known = knownVersion(env, file);
  if (known !== undefined && version !== undefined && known !== version) {
    return failure(`${file} changed since it was read: read it again, then repeat the change.`);
  }
  const edit = editOf(args);
  const edited = editCells(await env.readText(file), edit);
  if (!edited.ok) return failure(`${file} was not changed: ${edited.message}`);
  await env.writeFile(file, edited.content, {
    ...defined({ expectedVersion: version, signal: context?.signal }),
  });
  const warning = await rememberWritten(env, file, edited.content);
  return `${DONE[edit.mode]} cell ${edited.cellId} of ${file}.${warning}`;
});

function editOf(args: Arguments): CellEdit {
  const { cell_type: type, edit_mode: mode } = args;
  return {
    mode: mode === 'insert' || mode === 'delete' ? mode : 'replace',
    cellId: optionalText(args, 'cell_id'),
    source: requiredText(args, 'new_source'),
    type: type === 'code' || type === 'markdown' ? type : undefined,
  };
}
