/** The code that `docs/http.md` shows for signed reads, word for word; a test compares the two. */

import { AwsClient } from "aws4fetch";
import { type Dataset, openDataset } from "dreamdb-arrays";

/** Where the key may be, on a server: sign every request, in headers. */
export function openSigned(base: string, accessKeyId: string, secretAccessKey: string): Promise<Dataset> {
  const aws = new AwsClient({ accessKeyId, secretAccessKey, service: "s3", region: "us-east-1" });
  return openDataset(base, "main", { fetch: async (url, init) => fetch(await aws.sign(url, init)) });
}

/** Also there: a URL that reads one object for some seconds, for those who have no key. */
export async function presign(aws: AwsClient, base: string, key: string, seconds: number): Promise<string> {
  const url = new URL(`${base}/${key}`);
  url.searchParams.set("X-Amz-Expires", String(seconds));
  const signed = await aws.sign(url, { aws: { signQuery: true } });
  return signed.url;
}

/** Where the key must not be, in a page: `ask` brings such a URL from that server. */
export function openPresigned(base: string, ask: (key: string) => Promise<string>): Promise<Dataset> {
  return openDataset(base, "main", { resolve: (key) => ask(key) });
}
