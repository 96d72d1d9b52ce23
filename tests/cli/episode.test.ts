/** The example episode as its program writes it into a folder: the command line and the reference implementation find nothing wrong with it. */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTempDir } from "../support/temp-dir.js";
import { json } from "./support/program.js";
import { python } from "./support/reference.js";

const PROGRAM = fileURLToPath(new URL("../../viewer/episode/write.mjs", import.meta.url));

let parent: string;
let folder: string;
let said: string;
beforeAll(async () => {
  parent = await makeTempDir();
  folder = join(parent, "episode");
  said = (await promisify(execFile)(process.execPath, [PROGRAM, folder])).stdout;
}, 120_000);
afterAll(() => rm(parent, { recursive: true, force: true }));

test("audit counts every Item, and no fault", async () => {
  const found = (await json(["audit", folder, "--json"])) as { manifest: string; items: number; faults: unknown[] };
  expect(found).toMatchObject({ items: 14_927, faults: [] });
  expect(said).toBe(`${folder}: version ${found.manifest}\n`);
});

test("the reference audits it as well, and reads what was meant", async () => {
  const seen = await python(
    `
import dreamdb, numpy as np, scipy.sparse
ds = dreamdb.Dataset.open("main", backend="file://" + given["folder"])
begin = 1764000000000000000
at = lambda name, ms: ds.get_array_item(name, begin + ms * 1000000)
arrays = ["joints", "pose", "force", "cycle", "hand", "hits", "contacts", "pressure", "pressure_be", "pressure_f", "touch"]
force, contacts, hits = at("force", 20000), at("contacts", 50000), at("hits", 50007)
faces = ds.get_array_constant("hand_faces")
matrix = scipy.sparse.csr_matrix((contacts["values"], contacts["column_indices"].astype("i8"), contacts["row_offsets"].astype("i8")), (200, 200))
print(json.dumps({
    "manifest": ds.current_manifest(),
    "audits": {name: ds.audit_array_field(name) for name in [*arrays, "gravity", "hand_faces"]},
    "deleted": len(ds.tombstone_set()),
    "cycle": str(int(at("cycle", 100))),
    "bits": [hex(bit) for bit in np.asarray(force).view("<u4")],
    "overload": str(float(at("force", 35040)[2])),
    "pose": bool(abs(np.linalg.det(at("pose", 50000)[:3, :3]) - 1) < 1e-12),
    "twins": all(np.array_equal(at("pressure", ms), at(twin, ms)) for twin in ("pressure_be", "pressure_f") for ms in range(0, 100000, 500) if at("pressure", ms) is not None),
    "faces": [list(faces.shape), int(faces.max())],
    "touch": [str(at("touch", 50000).dtype), list(at("touch", 50000).shape)],
    "symmetric": (matrix != matrix.T).nnz == 0,
    "rings": len(hits["row_offsets"]) - 1,
    "phases": [batch["phase"][0] for ms in (0, 35000, 99900) for batch in ds.iter_all_batches(start_ns=begin + ms * 1000000, end_ns=begin + ms * 1000000 + 1)],
}))
`,
    { folder },
  );
  expect(seen).toEqual({
    manifest: /version (\S+)/.exec(said)?.[1],
    audits: { joints: 4800, pose: 960, force: 2400, cycle: 960, hand: 300, hits: 500, contacts: 200, pressure: 200, pressure_be: 200, pressure_f: 200, touch: 200, gravity: 1, hand_faces: 1 },
    deleted: 50 + 5 + 4,
    cycle: "9007199254741093",
    bits: ["0x7fc00abc", "0x7fc00000", "0x7fc00000"],
    overload: "-inf",
    pose: true,
    twins: true,
    faces: [[1552, 3], 777],
    touch: ["int16", [5, 3, 8, 8]],
    symmetric: true,
    rings: 8,
    phases: ["idle", "grasp", "retreat"],
  });
}, 120_000);
