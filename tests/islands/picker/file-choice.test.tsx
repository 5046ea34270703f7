import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { FileChoice } from '#islands/picker/FileChoice.tsx'
import { isUnusablePresentation } from '#islands/picker/UploadChoice.tsx'
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

test('a presentation is refused where slides have to be a PDF, before it is uploaded', () => {
  for (const name of ['deck.pptx', 'deck.PPT', 'deck.odp']) expect(isUnusablePresentation(name, ['pdf'])).toBe(true)
  expect(isUnusablePresentation('deck.pdf', ['pdf'])).toBe(false)
  expect(isUnusablePresentation('deck.pptx', ['file', 'pdf'])).toBe(false)
  expect(getTranslator('uk')('editor:pick.presentation', { name: 'deck.pptx' })).toContain('як PDF')
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
