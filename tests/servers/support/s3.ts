/** What tests of an S3 store share, in Node and in browsers: where it is, who may read, and signing by another implementation. */

import { AwsClient } from "aws4fetch";
import { inject } from "vitest";

/** An S3 store that runs. */
export interface S3 {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Buckets of the store, each with its policy and its CORS rule. */
export const BUCKETS = {
  /** Anybody reads; pages of any origin. */
  open: "open",
  /** Anybody reads; pages of {@link APP_ORIGIN} alone, by the rule in `docs/http.md`. */
  app: "app",
  /** Nobody reads without a signature; pages of any origin may send one. */
  closed: "closed",
} as const;

/** The one origin that the bucket `app` is for. */
export const APP_ORIGIN = "https://app.example";

/** A second Ref of `packs` in the bucket `open`, to the same manifest. */
export const REF_COPY = "main@2026-11-30";

/** Signs for a store. */
export function signer({ accessKeyId, secretAccessKey }: S3 = inject("s3")): AwsClient {
  return new AwsClient({ accessKeyId, secretAccessKey, service: "s3", region: "us-east-1", retries: 0 });
}

/** URL of a fixture's dataset in a bucket. */
export function bucketUrl(bucket: keyof typeof BUCKETS, fixture: string): string {
  return `${inject("s3").url}/${BUCKETS[bucket]}/${fixture}/data`;
}

/** What must appear in nothing that the package tells: the key and the ways in which a signature is written. */
export function secretsOf({ accessKeyId, secretAccessKey }: S3 = inject("s3")): RegExp {
  return new RegExp(`${accessKeyId}|${secretAccessKey}|signature=|x-amz-|AWS4-HMAC`, "i");
}
