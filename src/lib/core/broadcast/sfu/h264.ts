const NAL_TYPE_SPS = 7
const NAL_TYPE_PPS = 8

/** Stores the newest parameter sets of a stream (ITU-T H.264, 7.3.2). */
export function createParameterSetCache() {
  let sps: Buffer | null = null
  let pps: Buffer | null = null
  return {
    store(unit: Buffer): void {
      const type = (unit[0] ?? 0) & 31
      if (type === NAL_TYPE_SPS && unit.length > 4) sps = unit
      if (type === NAL_TYPE_PPS) pps = unit
    },
    sps: (): Buffer | null => sps,
    pps: (): Buffer | null => pps,
  }
}

/** Builds an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1) with four-byte NAL unit lengths. */
export function buildDecoderConfiguration(sps: Buffer, pps: Buffer): Buffer {
  const [, profile = 0, compatibility = 0, level = 0] = sps
  const length = (unit: Buffer) => Buffer.of(unit.length >> 8, unit.length & 255)
  const header = Buffer.of(1, profile, compatibility, level, 0xff, 0xe1)
  return Buffer.concat([header, length(sps), sps, Buffer.of(1), length(pps), pps])
}

const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128])

/** Width and height in pixels after cropping, from a sequence parameter set (ITU-T H.264, 7.3.2.1.1). */
export function readPictureSize(sps: Buffer): { width: number; height: number } {
  const bits = createBitReader(sps.subarray(4))
  let chromaFormat = 1
  bits.readExpGolomb()
  if (HIGH_PROFILES.has(sps[1] ?? 0)) {
    chromaFormat = bits.readExpGolomb()
    if (chromaFormat === 3) bits.readBits(1)
    bits.readExpGolomb()
    bits.readExpGolomb()
    bits.readBits(1)
    if (bits.readBits(1))
      for (let list = 0; list < (chromaFormat === 3 ? 12 : 8); list++) skipScalingList(bits, list < 6 ? 16 : 64)
  }
  bits.readExpGolomb()
  const picOrderCountType = bits.readExpGolomb()
  if (picOrderCountType === 0) bits.readExpGolomb()
  else if (picOrderCountType === 1) {
    bits.readBits(1)
    bits.readExpGolomb()
    bits.readExpGolomb()
    for (let left = bits.readExpGolomb(); left > 0; left--) bits.readExpGolomb()
  }
  bits.readExpGolomb()
  bits.readBits(1)
  const codedWidth = (bits.readExpGolomb() + 1) * 16
  const heightInMapUnits = bits.readExpGolomb() + 1
  const frameMbsOnly = bits.readBits(1)
  if (!frameMbsOnly) bits.readBits(1)
  bits.readBits(1)
  const codedHeight = heightInMapUnits * 16 * (2 - frameMbsOnly)
  if (!bits.readBits(1)) return { width: codedWidth, height: codedHeight }
  const [left, right, top, bottom] = [
    bits.readExpGolomb(),
    bits.readExpGolomb(),
    bits.readExpGolomb(),
    bits.readExpGolomb(),
  ]
  const cropUnitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1
  const cropUnitY = (chromaFormat === 1 ? 2 : 1) * (2 - frameMbsOnly)
  return { width: codedWidth - (left + right) * cropUnitX, height: codedHeight - (top + bottom) * cropUnitY }
}

interface BitReader {
  readBits(count: number): number
  /** An unsigned Exp-Golomb code (ITU-T H.264, 9.1). Signed codes have the same length. */
  readExpGolomb(): number
}

function createBitReader(escaped: Buffer): BitReader {
  const bytes = escaped.filter(
    (byte, position) => !(byte === 3 && position > 1 && escaped[position - 1] === 0 && escaped[position - 2] === 0),
  )
  let position = 0
  const readBits = (count: number): number => {
    let value = 0
    for (let remaining = count; remaining > 0; remaining--, position++)
      value = value * 2 + (((bytes[position >> 3] ?? 0) >> (7 - (position & 7))) & 1)
    return value
  }
  const readExpGolomb = (): number => {
    let zeros = 0
    while (zeros < 32 && position < bytes.length * 8 && readBits(1) === 0) zeros++
    return 2 ** zeros - 1 + readBits(zeros)
  }
  return { readBits, readExpGolomb }
}

function skipScalingList(bits: BitReader, count: number): void {
  if (!bits.readBits(1)) return
  let [last, next] = [8, 8]
  for (let index = 0; index < count; index++) {
    if (next !== 0) {
      const code = bits.readExpGolomb()
      const delta = code % 2 === 0 ? -code / 2 : (code + 1) / 2
      next = (last + delta + 256) % 256
    }
    last = next === 0 ? last : next
  }
}
