import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FRAME_SOURCES, parseEmbed } from '#lib/core/shared/embed.ts'

const LOOM = '0123456789abcdef0123456789abcdef'
const SLIDES = '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789'

describe('the URL of an embed', () => {
  const copied: [string, string][] = [
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    [
      'https://youtube.com/watch?list=PL1&v=dQw4w9WgXcQ&t=1m2s',
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=62',
    ],
    ['https://youtu.be/dQw4w9WgXcQ?si=abc', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    [
      'http://www.youtube.com/embed/dQw4w9WgXcQ?start=90',
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90',
    ],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871'],
    ['https://vimeo.com/76979871/abcdef1234', 'https://player.vimeo.com/video/76979871?h=abcdef1234'],
    [
      'https://player.vimeo.com/video/76979871?h=abcdef1234&x=1',
      'https://player.vimeo.com/video/76979871?h=abcdef1234',
    ],
    [`https://www.loom.com/share/${LOOM}?sid=1`, `https://www.loom.com/embed/${LOOM}`],
    [
      `https://docs.google.com/presentation/d/${SLIDES}/edit#slide=id.p`,
      `https://docs.google.com/presentation/d/${SLIDES}/embed`,
    ],
    [
      `https://docs.google.com/forms/d/e/${SLIDES}/viewform?usp=sf_link`,
      `https://docs.google.com/forms/d/e/${SLIDES}/viewform?embedded=true`,
    ],
  ]
  test.each(copied)('%s becomes one canonical frame', (address, url) => expect(parseEmbed(address)?.url).toBe(url))
  test.each(copied)('%s stays the same when parsed again', (address) => {
    const { url = '' } = parseEmbed(address) ?? {}
    expect(parseEmbed(url)?.url).toBe(url)
    expect(FRAME_SOURCES.some((source) => url.startsWith(source))).toBe(true)
  })
})

describe('an embed is refused', () => {
  const foreign = [
    'javascript:alert(1)//youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'https://evil.example/https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ',
    'https://user:pass@www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/redirect?q=https://evil.example',
    'https://www.youtube.com/watch?v="><script>',
    'https://www.youtube.com/embed/../redirect?q=x',
    'https://docs.google.com/document/d/x/edit',
    '//www.youtube.com/watch?v=dQw4w9WgXcQ',
    'data:text/html,<script>',
    'https://youtu.be/',
    '',
  ]
  test.each(foreign)('%s', (address) => expect(parseEmbed(address)).toBeNull())

  test('for any frame the content security policy does not permit', () => {
    const paths = fc.webUrl({ withQueryParameters: true, withFragments: true })
    const hosts = fc.constantFrom('www.youtube.com', 'youtu.be', 'vimeo.com', 'www.loom.com', 'docs.google.com')
    const address = fc.oneof(
      paths,
      fc
        .tuple(hosts, fc.webPath(), fc.webQueryParameters())
        .map(([host, path, query]) => `https://${host}${path}?${query}`),
      fc.string(),
    )
    fc.assert(
      fc.property(address, (url) => {
        const found = parseEmbed(url)
        return (
          !found ||
          (FRAME_SOURCES.some((source) => found.url.startsWith(source)) && parseEmbed(found.url)?.url === found.url)
        )
      }),
      { numRuns: 500 },
    )
  })
})

test('the content security policy of pages permits exactly these frames', () => {
  expect(readFileSync('astro.config.mjs', 'utf8')).toMatch(/`frame-src 'self' \$\{FRAME_SOURCES\.join\(' '\)\}`/)
})
