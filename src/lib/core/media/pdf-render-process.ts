import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/*
 * Draws pages of a PDF as PNG files, in a child process that pdf-pages.ts starts and limits, because a malicious file
 * may need unlimited time or memory. Arguments: the PDF, the folder for the images, width, height, and page numbers.
 */

const [file = '', folder = '', ...rest] = process.argv.slice(2)
const [width = 0, height = 0, ...numbers] = rest.map(Number)
const library = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

const pdf = await getDocument({
  data: new Uint8Array(await readFile(file)),
  enableXfa: false,
  useSystemFonts: false,
  standardFontDataUrl: `${library}/standard_fonts/`,
  cMapUrl: `${library}/cmaps/`,
  wasmUrl: `${library}/wasm/`,
}).promise

for (const number of numbers) {
  // The file may have been replaced by one with fewer pages: the last page is drawn, as in the room.
  const page = await pdf.getPage(Math.min(number, pdf.numPages))
  const whole = page.getViewport({ scale: 1 })
  const viewport = page.getViewport({ scale: Math.min(width / whole.width, height / whole.height) })
  const canvas = createCanvas(Math.max(1, Math.floor(viewport.width)), Math.max(1, Math.floor(viewport.height)))
  // The library expects a browser canvas; this one implements the methods that it calls.
  await page.render({ canvas: canvas as never, viewport }).promise
  await writeFile(path.join(folder, `${number}.png`), await canvas.encode('png'))
}
process.exit(0)
