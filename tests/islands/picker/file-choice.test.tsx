import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { FileChoice } from '#islands/picker/FileChoice.tsx'
import { ConversionStatus } from '#islands/picker/UploadChoice.tsx'
import { isPresentation } from '#islands/picker/use-presentation.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { VideoState } from '#lib/core/shared/stored-file.ts'

const choice = (state: VideoState | null, { truncated = false, locale = 'uk' as Locale } = {}) =>
  renderToStaticMarkup(
    <FileChoice
      file={{
        id: '1',
        kind: 'video',
        name: 'Урок.mp4',
        mime: 'video/mp4',
        size: 2048,
        thumbnailUrl: null,
        state,
        truncated,
      }}
      onPick={() => {}}
      locale={locale}
      t={getTranslator(locale)}
    />,
  )

test('a presentation is not stored as it is where slides have to be a PDF', () => {
  for (const name of ['deck.pptx', 'deck.PPT', 'deck.pps', 'deck.odp', 'deck.key'])
    expect(isPresentation(name, ['pdf'])).toBe(true)
  expect(isPresentation('deck.pdf', ['pdf'])).toBe(false)
  expect(isPresentation('deck.pptx', ['file', 'pdf'])).toBe(false)
})

test.each([
  ['converting', 'uk', 'Перетворюємо «deck.pptx» на PDF'],
  ['failed', 'uk', 'Збережіть презентацію як PDF'],
  ['unavailable', 'uk', 'Збережіть «deck.pptx» як PDF'],
  ['failed', 'en', 'Save the presentation as a PDF'],
  ['unavailable', 'en', 'Save “deck.pptx” as a PDF'],
] as const)('the state of a presentation that is %s, in %s', (step, locale, text) => {
  const conversion = { name: 'deck.pptx', step, uploadId: null, fileId: null }
  const html = renderToStaticMarkup(<ConversionStatus conversion={conversion} t={getTranslator(locale)} />)
  expect(html).toContain(text)
  expect(html).toContain(step === 'converting' ? 'role="status"' : 'role="alert"')
})

describe('the file picker', () => {
  test('marks a damaged video, in both languages', () => {
    expect(choice('failed')).toContain('Пошкоджене відео')
    expect(choice('failed', { locale: 'en' })).toContain('Damaged video')
  })
  test('marks a video whose end is missing', () => {
    expect(choice('finished', { truncated: true })).toContain('Бракує кінця')
    expect(choice('finished', { truncated: true, locale: 'en' })).toContain('Incomplete')
  })
  test('marks no other file', () => {
    for (const state of ['queued', 'encoding', 'finished', null] as const) expect(choice(state)).not.toContain('badge')
  })
})
