/** What tests have an implementation write through, whichever it is. */
import type { ConstantSpec, FieldSpec, RowSpec, Step } from "./model.js";

/** A dataset that can be written, held at its newest version. */
export interface Writer {
  append(rows: readonly RowSpec[]): Promise<void>;
  addArrayConstant(constant: ConstantSpec): Promise<void>;
  addField(field: FieldSpec): Promise<void>;
  delete(anchors: readonly bigint[], reason?: string): Promise<void>;
  /** Makes a Ref at the newest version, and gives its dataset. */
  branch(name: string): Promise<Writer>;
  /** Makes a Ref that stays. */
  snapshot(label: string): Promise<void>;
}

/** One implementation, at work on datasets that lie somewhere. */
export interface Implementation {
  /** `place`, a folder or an http URL, is where the dataset begins to be. A nonce decides the timeline; one that cannot be chosen is left alone. */
  create(place: string, ref: string, fields: readonly FieldSpec[], nonce?: Uint8Array): Promise<Writer>;
  open(place: string, ref: string): Promise<Writer>;
}

/** Has it done. */
export async function perform(writer: Writer, step: Step): Promise<void> {
  switch (step.do) {
    case "append":
      return writer.append(step.rows);
    case "addArrayConstant":
      return writer.addArrayConstant(step.constant);
    case "addField":
      return writer.addField(step.field);
    case "delete":
      return writer.delete(step.anchors, step.reason);
  }
}
