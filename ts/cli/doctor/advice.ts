/** What to change, for each check and each kind of host. Agrees with docs/http.md, which has whole configurations. */
import type { Check } from "./findings.js";

/** What to change on nginx, on buckets (S3, R2, GCS), in a CloudFront distribution. */
export interface Advice {
  readonly nginx: string;
  readonly buckets: string;
  readonly cloudfront: string;
}

/** For all kinds the same. */
const all = (text: string): Advice => ({ nginx: text, buckets: text, cloudfront: text });

const PROXY = "Look at what stands between: a proxy, a firewall or a gateway answers in place of the host";

/** By check; those that are not here need no change of the host. */
export const ADVICE: Partial<Record<Check, Advice>> = {
  reach: all("See that the host is up, that its certificate is of a known authority, and that no firewall or proxy cuts connections"),
  status: {
    nginx: "`root` must be the folder above the dataset's `refs/`, readable by nginx's user; take limits (limit_req, limit_conn) off this location",
    buckets: "Let the readers have s3:GetObject, and s3:ListBucket for a 404 where an object is absent (GCS: storage.objects.get and .list; R2: public access); or pass credentials with --header",
    cloudfront: "Give the distribution access to the bucket (origin access control, with s3:GetObject and s3:ListBucket), and keep no error answers (error caching minimum TTL 0)",
  },
  length: {
    nginx: `${PROXY}; with proxy_pass raise proxy_read_timeout, and see that proxy_temp_path has room`,
    buckets: `Upload the object again, and compare its size. ${PROXY}`,
    cloudfront: `Invalidate the distribution's cache, and raise the origin's response timeout. ${PROXY}`,
  },
  ref: all("Upload refs/ last and byte for byte: no conversion of text, no compression. A host that answers every path with a web page must leave the dataset's paths out"),
  read: all("If the bytes are wrong, compare them with those at their source: `audit` finds all that are; otherwise see the findings beside this one"),
  range: {
    nginx: "Remove `max_ranges 0` and filters that change bodies (gzip, sub_filter, ssi); with proxy_pass pass Range on (proxy_set_header Range $http_range), or cache slices (slice, proxy_cache)",
    buckets: "S3, R2 and GCS take ranges by themselves: the fault is in a proxy, a function or a Worker in front; on GCS it is also Content-Encoding: gzip of the object (decompressive transcoding): upload without it",
    cloudfront: "Take functions (Lambda@Edge) that change bodies off the behaviour, turn off \"Compress objects automatically\", and see that the origin itself takes ranges",
  },
  compression: {
    nginx: "`gzip off;` (and brotli off) for the dataset's location, and a `default_type application/octet-stream`",
    buckets: "Upload without Content-Encoding (aws s3 cp without --content-encoding; gsutil without -z or -Z); R2: no compression rule for these paths",
    cloudfront: "Turn off \"Compress objects automatically\" in the behaviour of these paths",
  },
  redirects: {
    nginx: "Serve the objects where they are asked for: `return 30x` and `rewrite` out of this location; give the final URL to readers",
    buckets: "Use the endpoint of the bucket's own region, which does not redirect; CORS must be allowed by every host on the way",
    cloudfront: "Give readers the https URL, so that \"Redirect HTTP to HTTPS\" has nothing to do, and the origin's regional endpoint to the distribution",
  },
  cors: {
    nginx: "`add_header Access-Control-Allow-Origin * always;` once, in the server or location that answers (`always`: errors, too; not at a 416, where nginx adds it twice: the map of docs/http.md), also on redirects",
    buckets: "A CORS rule of the bucket: AllowedOrigins the page's origin or *, AllowedMethods GET (GCS: gcloud storage buckets update --cors-file)",
    cloudfront: "The managed response headers policy SimpleCORS (or CORS-with-preflight), or the bucket's rule with the origin request policy CORS-S3Origin, and Origin in the cache key",
  },
  expose: {
    nginx: "`add_header Access-Control-Expose-Headers \"Content-Range, Content-Length, ETag, Retry-After\" always;`",
    buckets: "ExposeHeaders of the CORS rule: Content-Range, Content-Length, ETag, Retry-After",
    cloudfront: "A response headers policy with Access-Control-Expose-Headers: Content-Range, Content-Length, ETag, Retry-After",
  },
  preflight: {
    nginx: "Answer OPTIONS by 204 with Access-Control-Allow-Methods GET and Access-Control-Allow-Headers naming Range and the headers of the page",
    buckets: "AllowedHeaders of the CORS rule: *",
    cloudfront: "Allow OPTIONS in the behaviour, and the managed policy CORS-with-preflight",
  },
  keys: {
    nginx: "No `rewrite` and no `proxy_pass` with a path that decodes or encodes anew; `proxy_pass http://host;` without a slash hands the path on as it came",
    buckets: "Upload keys as they are, with = and @: a tool that wrote %3D made another key",
    cloudfront: "No function that changes the URI; S3 as an origin takes = and @ as they come",
  },
  missing: {
    nginx: "`try_files $uri =404;` for the dataset, no fallback to a page (`/index.html`)",
    buckets: "Allow s3:ListBucket (GCS: storage.objects.list), so that what is absent is a 404",
    cloudfront: "No custom error response that makes 200 of 403 or 404; give the distribution s3:ListBucket, so that what is absent is a 404",
  },
  etag: {
    nginx: "`etag on;`, and nothing that changes bodies, which makes ETags weak; behind several servers the same modification times",
    buckets: "Buckets give strong ETags: take off what stands in front and drops or changes them",
    cloudfront: "Turn compression off, which makes ETags weak; the bucket's own are handed on",
  },
  caching: {
    nginx: "`location ~ /refs/ { add_header Cache-Control no-cache always; }` with the CORS headers again; everything else may be kept forever",
    buckets: "Upload refs/ with Cache-Control: no-cache; everything else may have max-age=31536000, immutable",
    cloudfront: "A behaviour for */refs/* with the policy CachingDisabled",
  },
  "http-version": {
    nginx: "`listen 443 ssl; http2 on;` (`listen 443 ssl http2;` before 1.25.1)",
    buckets: "S3 speaks HTTP/1.1 alone: put CloudFront in front; R2 by a domain of your own and GCS speak HTTP/2",
    cloudfront: "Supported HTTP versions: HTTP/2 (and HTTP/3)",
  },
  scheme: {
    nginx: "A certificate and `listen 443 ssl;`",
    buckets: "Give readers the https URL",
    cloudfront: "Give readers the https URL; viewer protocol policy \"HTTPS only\"",
  },
  steady: {
    nginx: "Compare the servers behind the name (upstream), and their limits (limit_req)",
    buckets: "503 SlowDown passes as the store grows; otherwise look at what stands in front",
    cloudfront: "Invalidate the cache after a change of the behaviour, and raise the origin's attempts",
  },
  outboards: all("Write outboards when the dataset is written (the package's writer does), or copy the bao-outboard/ folder along"),
  speed: all("A host or a cache that is nearer to the readers; larger packs take fewer requests"),
  parallel: {
    nginx: "Raise limit_conn, limit_req burst and worker_connections",
    buckets: "Spread over time: --concurrency; a bucket's rate is limited by prefix",
    cloudfront: "Ask for a higher rate of requests, or cache longer, so that the origin sees fewer",
  },
};
