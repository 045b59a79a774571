/** What a device holds of its own, and what the cloud shows of it: verified items only. */
export interface ReturnFacts {
  /** The highest n this database has used. */
  ownN: number;
  /** Of own records in the cloud. */
  cloudN: readonly number[];
  /** Own logs: the last seq here and in the cloud. */
  logs: readonly { own: number; cloud: number }[];
  /** False when the boot chain is broken. */
  bootsFit: boolean;
}

/**
 * Whether this database went back (V25): the cloud holds a higher n or seq of its own, or the boots do not fit. Then a
 * new incarnation is made, and n goes on above the highest one.
 */
export function planReturn({ ownN, cloudN, logs, bootsFit }: ReturnFacts): { wentBack: boolean; lastN: number } {
  const lastN = cloudN.reduce((highest, n) => Math.max(highest, n), ownN);
  return { wentBack: !bootsFit || lastN > ownN || logs.some((log) => log.cloud > log.own), lastN };
}
