import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { ORIENTATIONS, PAGE_SIZES, pageSizeMm } from '#lib/certificate/state-schema.ts'
import { drawShareImage } from '#lib/certificate/template/draw-image.ts'
import { fillText } from '#lib/certificate/template/fill-rules.ts'
import { layoutTemplate } from '#lib/certificate/template/layout-rules.ts'
import { renderPdf } from '#lib/certificate/template/pdf-worker.ts'
import { presetTemplate } from '#lib/certificate/template/presets.ts'
import { PRESETS, TemplateText } from '#lib/certificate/template/schema.ts'

const texts = {
  name: 'Ґанна Їжакевич-Щукіна',
  course: 'Під’їзна фотографія – 100 ₴',
  school: 'Школа «Світлотінь» ŵ',
  date: '23 листопада 2026 р.',
  expires: '',
  number: 'SVITLO-2026-00042',
  hours: '36',
  score: '',
  url: 'svitlo.example.org/c/1',
}
const input = (template: TemplateText) => ({
  template,
  texts,
  link: 'https://svitlo.example.org/c/1',
  color: '#0b7a75',
  images: {},
})
const document = { title: 'Сертифікат', author: 'Школа', createdAt: '2026-11-23T10:00:00Z' }

async function readPdf(bytes: Uint8Array) {
  const pdf = await getDocument({ data: Uint8Array.from(bytes), verbosity: 0 }).promise
  const page = await pdf.getPage(1)
  const { items } = await page.getTextContent()
  const { width, height } = page.getViewport({ scale: 1 })
  const lines = items.flatMap((item) => ('str' in item ? [item.str] : []))
  return { lines, width, height, pages: pdf.numPages, metadata: await pdf.getMetadata() }
}

describe('the PDF of a certificate', () => {
  test.each(PRESETS)('of the template %s contains the texts exactly', async (preset) => {
    const { lines, pages } = await readPdf(await renderPdf({ ...input(presetTemplate(preset, 'uk')), ...document }))
    expect(pages).toBe(1)
    for (const text of [texts.name, `«${texts.course}»`, texts.school, '№\u00a0SVITLO-2026-00042'])
      expect(lines).toContain(text.replaceAll('\u00a0', ' '))
  })

  test('embeds every font that it uses', async () => {
    const bytes = await renderPdf({ ...input(presetTemplate('classic', 'uk')), ...document })
    const pdf = await getDocument({ data: Uint8Array.from(bytes), verbosity: 0 }).promise
    const page = await pdf.getPage(1)
    // Fonts are loaded with the operators that draw the page.
    await page.getOperatorList()
    const { items } = await page.getTextContent()
    const names = new Set(items.flatMap((item) => ('str' in item ? [item.fontName] : [])))
    expect(names.size).toBeGreaterThan(1)
    for (const name of names) {
      const font = page.commonObjs.get(name)
      expect(font.missingFile, font.name).toBe(false)
    }
  })

  test('omits a line whose variables are empty', async () => {
    const { lines } = await readPdf(await renderPdf({ ...input(presetTemplate('classic', 'uk')), ...document }))
    expect(lines.join(' ')).not.toContain('Дійсний до')
    expect(fillText('до {expires}', texts)).toBeNull()
    expect(fillText('Без змінних', texts)).toBe('Без змінних')
  })

  test('carries the mark of a revoked certificate across the page, and so does the image', async () => {
    const marked = { ...input(presetTemplate('portrait', 'uk')), mark: 'ВІДКЛИКАНО · REVOKED' }
    const { lines } = await readPdf(await renderPdf({ ...marked, ...document }))
    expect(lines).toContain('ВІДКЛИКАНО · REVOKED')
    const redShare = async (drawing: Parameters<typeof drawShareImage>[0]) => {
      const { data } = await sharp(await drawShareImage(drawing))
        .raw()
        .toBuffer({ resolveWithObject: true })
      let red = 0
      for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 0) - (data[at + 1] ?? 0) > 60) red += 1
      return red / (data.length / 4)
    }
    expect(await redShare({ ...marked, mark: null })).toBeLessThan(0.001)
    expect(await redShare(marked)).toBeGreaterThan(0.005)
  })

  test('has the size of its page in both orientations', async () => {
    for (const pageSize of PAGE_SIZES) {
      for (const orientation of ORIENTATIONS) {
        const template = { ...presetTemplate('classic', 'uk'), pageSize, orientation }
        const { width, height } = await readPdf(await renderPdf({ ...input(template), ...document }))
        const millimetres = pageSizeMm(pageSize, orientation)
        expect(width).toBeCloseTo((millimetres.width / 25.4) * 72, 1)
        expect(height).toBeCloseTo((millimetres.height / 25.4) * 72, 1)
      }
    }
  })

  test('shows pictures, and omits files that are not pictures', async () => {
    const logo = await sharp({ create: { width: 60, height: 60, channels: 4, background: '#ff0000' } })
      .webp()
      .toBuffer()
    const template = presetTemplate('classic', 'uk')
    const without = await renderPdf({ ...input(template), ...document })
    const withLogo = await renderPdf({ ...input(template), ...document, images: { logo } })
    const broken = await renderPdf({ ...input(template), ...document, images: { logo: Buffer.from('no picture') } })
    expect(withLogo.length).toBeGreaterThan(without.length)
    expect(Math.abs(broken.length - without.length)).toBeLessThan(200)
  })
})

test('a long name is made smaller until it fits its frame', () => {
  const template = presetTemplate('modern', 'uk')
  const measure = (text: string, _: unknown, size: number) => text.length * size * 0.6
  const sizeOf = (name: string) => {
    const { drawings } = layoutTemplate({ ...input(template), texts: { ...texts, name } }, measure)
    return drawings.flatMap((drawing) =>
      drawing.kind === 'text' && name.startsWith(drawing.text) ? [drawing.size] : [],
    )[0]
  }
  expect(sizeOf('Олександра-Вікторія Перевізниченко-Білоцерківська')).toBeLessThan(sizeOf('Ян Лі') ?? 0)
})

test('templates refuse colors of another format, empty frames and unknown elements', () => {
  const template = presetTemplate('classic', 'uk')
  const withElement = (element: object) => TemplateText.safeParse({ ...template, elements: [element] }).success
  const line = { kind: 'line', id: 'a1', x: 0, y: 0, w: 10, h: 1, color: '#123456' }
  expect(withElement(line)).toBe(true)
  expect(withElement({ ...line, color: 'url(javascript:1)' })).toBe(false)
  expect(withElement({ ...line, w: 0 })).toBe(false)
  expect(withElement({ ...line, kind: 'script' })).toBe(false)
  expect(withElement({ ...line, x: Number.NaN })).toBe(false)
})

test('the share image has the format of networks', async () => {
  const { width, height, format } = await sharp(
    await drawShareImage(input(presetTemplate('portrait', 'en'))),
  ).metadata()
  expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'png' })
})
