/** What the episode holds: each field with what its numbers are, in which units, seen from where, and what its axes mean. */
import { Schema } from "dreamdb-arrays";

/** No sensor has a value at every anchor. */
const required = false;

/** One matrix, stored in three ways. */
const PRESSURE = /** @type {const} */ ({ dtype: "f32", shape: [6, 8], semanticType: "pressure", units: "kPa", frame: "palm", axisOrder: "row,column", required });

export function episodeSchema() {
  return new Schema()
    .array("joints", { dtype: "f32", shape: [7], semanticType: "joint_position", units: "rad", axisOrder: "joint", trackKind: "continuous", required })
    .array("pose", { dtype: "f64", shape: [4, 4], semanticType: "pose", units: "m", frame: "world", axisOrder: "row,column", required })
    .array("force", { dtype: "f32", shape: [3], semanticType: "force", units: "N", frame: "wrist", axisOrder: "xyz", trackKind: "continuous", required })
    .array("cycle", { dtype: "u64", shape: [], semanticType: "controller_cycle", units: "count", required })
    .array("hand", { dtype: "f32", shape: [778, 3], semanticType: "vertices", units: "m", frame: "world", axisOrder: "vertex,xyz", required })
    .image("camera", { mime: "png", packItems: 48, required })
    .ragged("hits", { dtype: "f32", innerShape: [3], semanticType: "points", units: "m", frame: "lidar", axisOrder: "ring,point,xyz", required })
    .csr("contacts", { dtype: "f32", shape: [200, 200], semanticType: "contact_force", units: "N", axisOrder: "part,part", required })
    .array("pressure", PRESSURE)
    .array("pressure_be", { ...PRESSURE, endianness: "big" })
    .array("pressure_f", { ...PRESSURE, codec: "npy", layout: "f" })
    .array("touch", { dtype: "i16", shape: [5, 3, 8, 8], semanticType: "touch", units: "count", frame: "fingertip", axisOrder: "finger,component,row,column", required });
}

/** Values that are there once, with their types. */
export const CONSTANTS = /** @type {const} */ ({
  gravity: { dtype: "f64", shape: [3], semanticType: "acceleration", units: "m/s^2", frame: "world", axisOrder: "xyz" },
  hand_faces: { dtype: "i32", shape: [1552, 3], semanticType: "faces", units: "index", axisOrder: "face,corner" },
});
