/** Errors told where they happened: by those who know the field, the anchor, the object. */
import { DreamDbError, type ErrorContext, isDreamDbError } from "./errors.js";

/**
 * `error` with the context that it does not have yet, each new part once in front of the message.
 *
 * Returns a new error, because one failed read may be shared by several callers; what is already known is never overwritten. Anything
 * that is not a {@link DreamDbError}, an abort reason for one, comes back untouched.
 */
export function withContext(error: unknown, context: ErrorContext): unknown {
  if (!isDreamDbError(error)) return error;
  const where: string[] = [];
  if (error.field === undefined && context.field !== undefined) where.push(`field ${JSON.stringify(context.field)}`);
  if (error.anchor === undefined && context.anchor !== undefined) where.push(`anchor ${context.anchor}`);
  if (error.key === undefined && context.key !== undefined) where.push(`object ${context.key}`);
  if (where.length === 0) return error;

  const { expected, actual, subject, url, status, retryAfterMs, cause } = error;
  const { field = context.field, anchor = context.anchor, key = context.key } = error;
  const details = { expected, actual, subject, url, status, retryAfterMs, cause, field, anchor, key };
  const enriched = new DreamDbError(error.code, `${where.join(", ")}: ${error.message}`, details);
  // The frames of the failure, not of this call.
  const frames = error.stack?.split("\n").slice(error.message.split("\n").length).join("\n");
  if (frames) enriched.stack = `${enriched.name}: ${enriched.message}\n${frames}`;
  return enriched;
}
