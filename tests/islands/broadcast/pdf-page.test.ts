import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, test } from 'vitest'
import { fitPage } from '#islands/broadcast/pdf-page.ts'
import { pdfOf } from '../../setup/course/colored-pdf.ts'

/** The first page of a PDF whose page has these entries. */
async function pageWith(entries: string) {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R ${entries} >>`,
  ]
  const pdf = await getDocument({ data: new Uint8Array(pdfOf(objects)), useSystemFonts: false }).promise
  return pdf.getPage(1)
}

// Shares of what is shown: a quarter from the left, a tenth from the top.
const MARK = [0.25, 0.1] as const
const WHOLE = '/MediaBox [0 0 600 800]'
const CROPPED = `${WHOLE} /CropBox [100 200 500 700]`

describe('an annotation stays at its place on the page at every width', () => {
  test.each([
    ['a page', WHOLE, 4 / 3, [150, 720]],
    ['a page turned right', `${WHOLE} /Rotate 90`, 3 / 4, [60, 200]],
    ['a page turned over', `${WHOLE} /Rotate 180`, 4 / 3, [450, 80]],
    ['a page turned left', `${WHOLE} /Rotate 270`, 3 / 4, [540, 600]],
    ['a cropped page', CROPPED, 5 / 4, [200, 650]],
    ['a cropped page turned right', `${CROPPED} /Rotate 90`, 4 / 5, [140, 325]],
  ] as const)('of %s', async (_, entries, heightByWidth, place) => {
    const page = await pageWith(entries)
    for (const wide of [350, 1400]) {
      const viewport = fitPage(page, wide)
      expect(viewport.width).toBeCloseTo(wide)
      expect(viewport.height / viewport.width).toBeCloseTo(heightByWidth)
      const [x, y] = viewport.convertToPdfPoint(MARK[0] * viewport.width, MARK[1] * viewport.height)
      expect([Math.round(Number(x)), Math.round(Number(y))]).toEqual(place)
    }
  })
})
