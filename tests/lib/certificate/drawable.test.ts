import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { undrawableCharacters } from '#lib/certificate/template/drawable-rules.ts'
import { FONT_STYLES, fontFileOf } from '#lib/certificate/template/font-files.ts'

/** The code points with a glyph: the table `cmap` of a TrueType file, in the formats 4 and 12. */
function codePointsOf(path: string): Set<number> {
  const font = readFileSync(path)
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16)
  const entry = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap') ?? 0
  const start = font.readUInt32BE(entry + 8)
  const points = new Set<number>()
  for (let index = 0; index < font.readUInt16BE(start + 2); index += 1)
    readSubtable(font, start + font.readUInt32BE(start + 4 + index * 8 + 4), points)
  return points
}

function readSubtable(font: Buffer, at: number, points: Set<number>): void {
  const format = font.readUInt16BE(at)
  if (format === 12)
    for (let group = 0; group < font.readUInt32BE(at + 12); group += 1) {
      const place = at + 16 + group * 12
      for (let code = font.readUInt32BE(place); code <= font.readUInt32BE(place + 4); code += 1) points.add(code)
    }
  if (format !== 4) return
  const size = font.readUInt16BE(at + 6)
  for (let offset = 0; offset < size; offset += 2) {
    const [end, first] = [font.readUInt16BE(at + 14 + offset), font.readUInt16BE(at + 16 + size + offset)]
    const delta = font.readUInt16BE(at + 16 + 2 * size + offset)
    const rangeAt = at + 16 + 3 * size + offset
    const range = font.readUInt16BE(rangeAt)
    for (let code = first; code <= end && code !== 0xffff; code += 1) {
      const glyph = range === 0 ? code + delta : font.readUInt16BE(rangeAt + range + (code - first) * 2)
      if ((glyph & 0xffff) !== 0) points.add(code)
    }
  }
}

test.each(FONT_STYLES)('every character that counts as drawable has a glyph in the font $font $weight', (style) => {
  const points = codePointsOf(fontFileOf(style))
  const missing: string[] = []
  for (let code = 0x20; code <= 0x2_ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (undrawableCharacters(character) !== null) continue
    if (![...character.normalize()].every((part) => points.has(part.codePointAt(0) ?? 0)))
      missing.push(code.toString(16))
  }
  expect(points.size).toBeGreaterThan(500)
  expect(missing).toEqual([])
})
