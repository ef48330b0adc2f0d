import { isSealFor } from '../../answer/signature.ts';
import { type JsonObject, stringOf } from '../../wire/json.ts';
import type { Failure } from '../../protocol.ts';
import { firstOf, invalid } from '../refuse.ts';
import { isModelItem, itemsOf, typeOf } from './items.ts';

/** A reasoning item and what it led to are sent back together or not at all. */
export function checkReasoning(body: JsonObject, model: string): Failure | undefined {
  const items = itemsOf(body);
  const stored = body['store'] !== false;
  return (
    firstOf(items, (item, index) =>
      typeOf(item) === 'reasoning' ? checkItem({ item, next: items[index + 1], stored, model }) : undefined,
    ) ?? checkCompany(items)
  );
}

interface ReasoningItem {
  item: JsonObject;
  next: JsonObject | undefined;
  stored: boolean;
  model: string;
}

function checkItem({ item, next, stored, model }: ReasoningItem): Failure | undefined {
  const id = stringOf(item['id']);
  const sealed = item['encrypted_content'];
  if (typeof sealed === 'string' && !isSealFor(model, sealed)) {
    return invalid(
      `The encrypted content for item ${id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      { code: 'invalid_encrypted_content' },
    );
  }
  if (typeof sealed !== 'string' && !stored) {
    return invalid(
      `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
      { param: 'input', status: 404 },
    );
  }
  if (next && isModelItem(next)) return undefined;
  return invalid(`Item '${id}' of type 'reasoning' was provided without its required following item.`, {
    param: 'input',
  });
}

/** The mark in an item's own id says whether reasoning came with it; see `itemId`. */
function checkCompany(items: JsonObject[]): Failure | undefined {
  const seen = new Set<unknown>();
  return firstOf(items, (item) => {
    seen.add(item['id']);
    const made = /^(fc|msg)_([0-9a-f]{40})r\d+$/.exec(stringOf(item['id']));
    const needed = `rs_${made?.[2]}r0`;
    if (!made || seen.has(needed)) return undefined;
    return invalid(
      `Item '${stringOf(item['id'])}' of type '${typeOf(item)}' was provided without its required 'reasoning' item: '${needed}'.`,
      { param: 'input' },
    );
  });
}
