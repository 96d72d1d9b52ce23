/** A pose in numbers: its matrix as it is stored, its position, and what its determinant comes to. */
import { valueText } from "../../data/numbers.js";
import { Inert } from "../../ui/inert.js";
import type { Course } from "./course.js";
import { type Convention, determinant, type MatrixPose } from "./matrices.js";

interface Props {
  readonly course: Course;
  readonly at: number;
  readonly pose: MatrixPose;
  readonly convention: Convention;
  readonly units: string;
  readonly anchor: bigint | undefined;
}

const FOUR = [0, 1, 2, 3] as const;

/** The table. */
export function PoseTable({ course: { data, dtype }, at, pose, convention, units, anchor }: Props) {
  const element = (row: number, column: number): string => valueText(data[16 * at + 4 * row + column] ?? 0, dtype);
  const position = FOUR.slice(0, 3).map((axis) => (convention === "columns" ? element(axis, 3) : element(3, axis)));
  return (
    <section class="space-pose" aria-label="Pose at the playhead">
      <table class="values" aria-label={anchor === undefined ? "Matrix" : `Matrix at anchor ${anchor}`}>
        <tbody>
          {FOUR.map((row) => (
            <tr>
              {FOUR.map((column) => (
                <td data-element={`${row},${column}`} class={(convention === "columns" ? column : row) === 3 ? "place" : undefined}>
                  {element(row, column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="numbers">
        {anchor !== undefined && [<dt>anchor</dt>, <dd data-space="anchor">{String(anchor)}</dd>]}
        {["x", "y", "z"].map((name, axis) => [
          <dt>{name}</dt>,
          <dd data-space={name}>
            {position[axis]}
            <Inert text={units} most={24} />
          </dd>,
        ])}
        <dt title={`Of the 3×3 part that the ${convention} 0 to 2 make, in double precision`}>determinant of the axes</dt>
        <dd data-space="determinant">{String(Number(determinant(pose).toPrecision(12)))}</dd>
      </dl>
    </section>
  );
}
