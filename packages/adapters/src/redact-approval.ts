import { defined } from '@attractor/base';
import type { ApprovalRequest } from '@attractor/policy';
import type { Redactor } from '@attractor/redact';

/** What a person is asked is stored and shown. A rule that contains a mask would mean something else, so none is offered then. */
export function redactApproval(redactor: Redactor, request: ApprovalRequest): ApprovalRequest {
  const { toolCallId, contentHash, suggestions, ...told } = request;
  const offered = suggestions === undefined || redactor.value(suggestions) === suggestions ? suggestions : [];
  return { toolCallId, ...redactor.value(told), ...defined({ contentHash, suggestions: offered }) };
}
