const K = roundConstants();

/** SHA-256 of a few bytes: synchronous everywhere, because a decision inside a transaction cannot wait. */
export function sha256(input: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((input.length + 72) >> 6) << 6);
  padded.set(input);
  padded[input.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(input.length / 0x20000000));
  view.setUint32(padded.length - 4, input.length << 3);
  const state = Uint32Array.of(
    0x6a09e667,
    0xbb67ae85,
    0x3c6ef372,
    0xa54ff53a,
    0x510e527f,
    0x9b05688c,
    0x1f83d9ab,
    0x5be0cd19,
  );
  for (let at = 0; at < padded.length; at += 64) block(state, view, at);
  const out = new Uint8Array(32);
  const words = new DataView(out.buffer);
  for (const [i, word] of state.entries()) words.setUint32(i * 4, word);
  return out;
}

const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
/** An index that is inside by construction. */
const at = (words: Uint32Array, i: number): number => words[i] as number;

/** The message schedule of the block at hand: a feed of thousands of rows would else make thousands of them. */
const w = new Uint32Array(64);

function block(state: Uint32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = at(w, i - 15);
    const y = at(w, i - 2);
    w[i] =
      at(w, i - 16) + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + at(w, i - 7) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + at(K, i) + at(w, i)) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = at(state, i) + word;
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function roundConstants(): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => {
    const root = Math.cbrt(prime);
    return (root - Math.floor(root)) * 0x100000000;
  });
}
