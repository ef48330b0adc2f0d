import path from 'node:path';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { ownNameOf } from '@attractor/tool-table';
import {
  createToolRegistry,
  type ProviderProfile,
  type RegisteredTool,
  type LoadedDocument,
  type ToolResult,
} from '../types/index.ts';
import { type Doc, docsOfFolder, type DocReader, loadedDocument } from './found-docs.ts';
import { findProjectDocs, foldersBetween, textOfDocs } from './project-docs.ts';

export type NestedDocsQuery = {
  /** The repository's folder. */
  readonly root: string;
  readonly workingDirectory: string;
  readonly fileNames: ReadonlyArray<string>;
};

/** Returns the documents about a file that were not shown yet; the text is empty if there are none. */
export type NestedDocs = { readonly about: (file: string) => Promise<ShownDocs> };

type ShownDocs = { readonly text: string; readonly documents: ReadonlyArray<LoadedDocument> };

/**
 * Documents of folders below the working directory, and rules for certain files, are shown once, when a file that they are about is read.
 * What the agent got at the beginning is not repeated.
 */
export function createNestedDocs({ root, workingDirectory, fileNames }: NestedDocsQuery): NestedDocs {
  const environment = createLocalExecutionEnvironment(root);
  const reader: DocReader = { environment, scope: 'project', told: new Set(), problems: [] };
  const waiting: Doc[] = [];
  let begun: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    const here = createLocalExecutionEnvironment(workingDirectory);
    const { docs } = await findProjectDocs({ environment: here, root, fileNames });
    for (const doc of docs) reader.told.add(doc.file);
    waiting.push(...docs.filter(({ paths }) => paths !== null));
  };
  const looked = new Set(foldersBetween(root, workingDirectory));
  return {
    about: async (file) => {
      const full = path.resolve(workingDirectory, file);
      if (!full.startsWith(`${root}/`)) return { text: '', documents: [] };
      begun ??= begin();
      await begun;
      for (const folder of foldersBetween(root, path.dirname(full))) {
        if (looked.has(folder)) continue;
        looked.add(folder);
        waiting.push(...(await docsOfFolder(reader, folder, fileNames)));
      }
      const due = waiting.filter((doc) => isAbout(doc, full, root));
      for (const doc of due) waiting.splice(waiting.indexOf(doc), 1);
      const documents = due.map((doc) => ({ ...loadedDocument(doc), trigger: full }));
      return { text: textOfDocs(due, root), documents };
    },
  };
}

/** A document without patterns is about its folder. Patterns are relative to the folder that the rules belong to. */
function isAbout({ paths, file }: Doc, full: string, root: string): boolean {
  if (paths === null) return true;
  const [above = '', ...inside] = file.split(`${path.sep}.claude${path.sep}`);
  const top = inside.length === 0 ? root : above;
  const below = path.relative(top, full);
  return paths.some((pattern) => path.matchesGlob(below, pattern) || path.matchesGlob(below, `**/${pattern}`));
}

/** The profile with a read tool that adds the documents about the file it read. */
export function withNestedDocs(profile: ProviderProfile, nested: NestedDocs): ProviderProfile {
  const tools = profile.toolRegistry.list().map((tool) => (isReader(tool) ? telling(tool, nested) : tool));
  return { ...profile, toolRegistry: createToolRegistry(tools) };
}

function isReader({ definition }: RegisteredTool): boolean {
  return ownNameOf(definition.name) === 'read_file';
}

const NAMES = ['file_path', 'path', 'absolute_path'];

function telling(tool: RegisteredTool, nested: NestedDocs): RegisteredTool {
  return {
    ...tool,
    withoutDocs: tool,
    executor: async (args, env, context) => {
      const given = await tool.executor(args, env, context);
      const result: ToolResult = typeof given === 'string' ? { output: given, isError: false } : given;
      const file = NAMES.map((name) => args[name]).find((value) => typeof value === 'string');
      if (result.isError || file === undefined) return given;
      const { text: docs, documents } = await nested.about(file);
      if (docs === '') return given;
      context?.onDocuments?.(documents);
      return {
        ...result,
        output: `${result.output}\n\n<project_documents about="${file}">\n${docs}\n</project_documents>`,
      };
    },
  };
}
