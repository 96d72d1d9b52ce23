/** How the naive implementation says no. */

/** An outcome other than success: a code, and the key, field or modality it is about. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: string;
  readonly subject: string | undefined;

  constructor(code: string, subject?: string) {
    super(subject === undefined ? code : `${code} (${subject})`);
    this.code = code;
    this.subject = subject;
  }
}
