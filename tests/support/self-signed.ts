/** A key and a certificate for `127.0.0.1`, made at each start, so that no private key lies in the repository and no program is needed. */

import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** In PEM, as `node:http2` takes them. */
export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** Tags of DER, as far as a certificate needs them. */
const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c, time: 0x17, sequence: 0x30, set: 0x31, version: 0xa0, extensions: 0xa3 };

const ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const COMMON_NAME = "550403";
const SUBJECT_ALT_NAME = "551d11";

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
}

const oid = (hex: string): Buffer => der(TAG.oid, Buffer.from(hex, "hex"));

/** A time as UTCTime: YYMMDDhhmmssZ. */
function utcTime(time: Date): Buffer {
  const digits = time.toISOString().replace(/\D/g, "");
  return der(TAG.time, Buffer.from(`${digits.slice(2, 14)}Z`, "ascii"));
}

/** A certificate that is signed with its own key, good from yesterday to tomorrow. */
export function selfSigned(): Identity {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const day = 24 * 3600 * 1000;
  const now = Date.now();
  const algorithm = der(TAG.sequence, oid(ECDSA_WITH_SHA256));
  const name = der(TAG.sequence, der(TAG.set, der(TAG.sequence, oid(COMMON_NAME), der(TAG.utf8, Buffer.from("tests")))));
  // [7] of a GeneralName: the four bytes of an address.
  const address = der(TAG.sequence, der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = der(TAG.sequence, der(TAG.sequence, oid(SUBJECT_ALT_NAME), der(TAG.octets, address)));
  const serial = randomBytes(8);
  serial[0] = 0x01;
  const signed = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, serial),
    algorithm,
    name,
    der(TAG.sequence, utcTime(new Date(now - day)), utcTime(new Date(now + day))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(TAG.extensions, extensions),
  );
  const signature = der(TAG.bits, Buffer.from([0]), sign("sha256", signed, privateKey));
  const cert = der(TAG.sequence, signed, algorithm, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.match(/.{1,64}/g)?.join("\n") ?? ""}\n-----END CERTIFICATE-----\n`,
  };
}
