const SEQUENCE = 7
const PICTURE = 8

/** Remembers the newest parameter sets of a stream (ITU-T H.264, 7.3.2). */
export function parameterSets() {
  let sequence: Buffer | null = null
  let picture: Buffer | null = null
  return {
    learn(unit: Buffer): void {
      const type = (unit[0] ?? 0) & 31
      if (type === SEQUENCE && unit.length > 4) sequence = unit
      if (type === PICTURE) picture = unit
    },
    sequence: (): Buffer | null => sequence,
    picture: (): Buffer | null => picture,
  }
}

/** AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1) with four-byte lengths. */
export function setupOf(sequence: Buffer, picture: Buffer): Buffer {
  const [, profile = 0, compatible = 0, level = 0] = sequence
  const length = (unit: Buffer) => Buffer.of(unit.length >> 8, unit.length & 255)
  const head = Buffer.of(1, profile, compatible, level, 0xff, 0xe1)
  return Buffer.concat([head, length(sequence), sequence, Buffer.of(1), length(picture), picture])
}

const HIGH = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128])

/** Width and height of a sequence parameter set (ITU-T H.264, 7.3.2.1.1), cropping taken off. */
export function sizeOf(sequence: Buffer): { width: number; height: number } {
  const bits = bitsOf(sequence.subarray(4))
  let chroma = 1
  bits.golomb()
  if (HIGH.has(sequence[1] ?? 0)) {
    chroma = bits.golomb()
    if (chroma === 3) bits.take(1)
    bits.golomb()
    bits.golomb()
    bits.take(1)
    if (bits.take(1)) for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) skipScaling(bits, list < 6 ? 16 : 64)
  }
  bits.golomb()
  const order = bits.golomb()
  if (order === 0) bits.golomb()
  else if (order === 1) {
    bits.take(1)
    bits.golomb()
    bits.golomb()
    for (let left = bits.golomb(); left > 0; left--) bits.golomb()
  }
  bits.golomb()
  bits.take(1)
  const wide = (bits.golomb() + 1) * 16
  const units = bits.golomb() + 1
  const framesOnly = bits.take(1)
  if (!framesOnly) bits.take(1)
  bits.take(1)
  const high = units * 16 * (2 - framesOnly)
  if (!bits.take(1)) return { width: wide, height: high }
  const [left, right, top, bottom] = [bits.golomb(), bits.golomb(), bits.golomb(), bits.golomb()]
  const across = chroma === 1 || chroma === 2 ? 2 : 1
  const down = (chroma === 1 ? 2 : 1) * (2 - framesOnly)
  return { width: wide - (left + right) * across, height: high - (top + bottom) * down }
}

interface Bits {
  take(count: number): number
  /** Unsigned Exp-Golomb (9.1); signed ones have the same length. */
  golomb(): number
}

function bitsOf(escaped: Buffer): Bits {
  const bytes = escaped.filter((byte, at) => !(byte === 3 && at > 1 && escaped[at - 1] === 0 && escaped[at - 2] === 0))
  let at = 0
  const take = (count: number): number => {
    let value = 0
    for (let left = count; left > 0; left--, at++) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    return value
  }
  const golomb = (): number => {
    let zeros = 0
    while (zeros < 32 && at < bytes.length * 8 && take(1) === 0) zeros++
    return 2 ** zeros - 1 + take(zeros)
  }
  return { take, golomb }
}

function skipScaling(bits: Bits, count: number): void {
  if (!bits.take(1)) return
  let [last, next] = [8, 8]
  for (let at = 0; at < count; at++) {
    if (next !== 0) {
      const code = bits.golomb()
      const delta = code % 2 === 0 ? -code / 2 : (code + 1) / 2
      next = (last + delta + 256) % 256
    }
    last = next === 0 ? last : next
  }
}
