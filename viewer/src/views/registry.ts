/** The component of each view. Views are loaded when they are first shown: nobody who reads numbers waits for WebGL. */
import type { ComponentType } from "preact";
import type { ViewName } from "../data/views.js";
import type { ViewProps } from "./props.js";

/** A view's component. */
// Each view narrows the kind of field that it is given; viewsOf() offers no others.
export type View = ComponentType<ViewProps<never>>;

/** Loads the component of a view. */
export const LOADERS: { readonly [N in ViewName]: () => Promise<View> } = {
  lines: async () => (await import("./lines/lines.js")).Lines as View,
  heatmap: async () => (await import("./heatmap/heatmap.js")).Heatmap as View,
  points: async () => (await import("./space/points.js")).Points as View,
  trajectory: async () => (await import("./space/trajectory.js")).Trajectory as View,
  media: async () => (await import("./media/media.js")).Media as View,
  rows: async () => (await import("./ragged/rows.js")).Rows as View,
  spy: async () => (await import("./csr/spy.js")).Spy as View,
  labels: async () => (await import("./labels/labels.js")).Labels as View,
  text: async () => (await import("./text.js")).Text as View,
  table: async () => (await import("./table/table.js")).Table as View,
};
