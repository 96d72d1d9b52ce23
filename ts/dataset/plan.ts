/** What a read would cost, told before any of it is sent. */

/** Requests and bytes that reading these Items now would take. Indexes that this asks about are read for it. */
export interface ReadPlan {
  /** Items that are there. */
  readonly items: number;
  /** Requests for them, those for outboards included. */
  readonly requests: number;
  /** Bytes of the Items themselves, as far as the index tells. */
  readonly bytesWanted: number;
  /** Bytes that would be fetched, those of outboards included. More than wanted: whole chunks and packs, bridged gaps. */
  readonly bytes: number;
  /** Of these, bytes of outboards, which are expected to be there unless it is known that they are not. */
  readonly bytesOfProofs: number;
  /** Items whose size no index tells: they come on top of both sums of bytes. */
  readonly unsized: number;
}

/** A plan while it is added up. */
export type PlanSum = { -readonly [K in keyof ReadPlan]: number };

/** No Items. */
export function emptyPlan(): PlanSum {
  return { items: 0, requests: 0, bytesWanted: 0, bytes: 0, bytesOfProofs: 0, unsized: 0 };
}

/** Both together. */
export function addPlans(sum: PlanSum, more: ReadPlan): PlanSum {
  sum.items += more.items;
  sum.requests += more.requests;
  sum.bytesWanted += more.bytesWanted;
  sum.bytes += more.bytes;
  sum.bytesOfProofs += more.bytesOfProofs;
  sum.unsized += more.unsized;
  return sum;
}
