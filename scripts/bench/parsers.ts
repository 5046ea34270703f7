import { createNameRemover } from '#lib/autowebinar/pseudonym.ts'
import { parseScript } from '#lib/autowebinar/script-csv.ts'
import { narrowOffer } from '#lib/core/broadcast/sfu/sdp.ts'
import { parseRange } from '#lib/core/files/range.ts'
import { parseEmbed } from '#lib/core/shared/embed.ts'
import { LESSON_LIMITS, LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { HEAD_BYTES } from '#lib/core/shared/stored-file.ts'
import { renderLesson } from '#lib/course/lesson/render.ts'
import { docFromHtml } from '#lib/course/transfer/html.ts'
import { docFromMarkdown } from '#lib/course/transfer/markdown/markdown.ts'
import { parseXml } from '#lib/course/transfer/markup.ts'
import { findBadWord, hasLink, splitLinks } from '#lib/meeting/chat/word-rules.ts'
import { parseCaptions } from '#lib/storage/caption/worker.ts'
import { detectFileType } from '#lib/storage/upload/kind.ts'
import { slugOf } from '#lib/tenant/transliteration.ts'
import { deviceOf } from '#lib/user/rules.ts'

/** A function that parses user input. */
export interface EntryPoint {
  name: string
  /** Maximum length of its input in characters. */
  most: number
  /** Runs in a worker process, which is ended at its time limit. */
  inWorker: boolean
  run(text: string): unknown
}

const NOTHING = { picture: () => null, file: () => null, frame: () => null }
const NAMED = { buttons: new Map(), polls: new Map(), handouts: new Map(), slidesFileId: null }
const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE

/** All functions that parse user input with own code or a JavaScript library. */
export const ENTRY_POINTS: readonly EntryPoint[] = [
  worker('markdown', 5 * MEGABYTE, (text) => docFromMarkdown(text, () => null)),
  worker('html', 32 * MEGABYTE, (text) => docFromHtml(text, NOTHING)),
  worker('html in a page', 32 * MEGABYTE, (text) =>
    docFromHtml(`<div><pre>${text}</pre><p>${text}</p></div>`, NOTHING),
  ),
  worker('xml', 32 * MEGABYTE, (text) => parseXml(Buffer.from(`<a>${text}</a>`), 'a', 'a.xml')),
  worker('captions', MEGABYTE, (text) => parseCaptions({ text: `WEBVTT\n\n00:00.000 --> 00:01.000\na${text}` })),
  worker('subrip', MEGABYTE, (text) => parseCaptions({ text: `1\n00:00:00,000 --> 00:00:01,000\na${text}` })),
  worker('caption times', MEGABYTE, (text) => parseCaptions({ text: `WEBVTT\n\n00:00.000 ${text}` })),
  own('type of a file', HEAD_BYTES, (text) => detectFileType(Buffer.from(text), 'a.txt')),
  own('lesson', LESSON_LIMITS.characters, (text) => renderLesson(LessonDoc.parse(documentOf(text)))),
  own('chat words', 2 * KILOBYTE, (text) => findBadWord(text, ['дурень*'])),
  own('chat links', 2 * KILOBYTE, (text) => [hasLink(text), splitLinks(text)]),
  own('names in a script', 4 * KILOBYTE, createNameRemover(new Map([['Оксана Мельник', 'Ірина К.']]))),
  own('script of an auto-webinar', 8_000_000, (text) => parseScript(text, NAMED)),
  own('session description', 64_000, (text) => offered(text)),
  own('user agent', 16 * KILOBYTE, (text) => deviceOf(text)),
  own('range header', 16 * KILOBYTE, (text) => parseRange(`bytes=${text}`, 1000)),
  own('address to embed', 16 * KILOBYTE, (text) => parseEmbed(`https://www.youtube.com/${text}`)),
  own('name to address', 16 * KILOBYTE, slugOf),
]

const PIECES =
  `< > <> </ <b> </b> <p> <pre> <!-- --> <!----> <! <? &amp; & " ' =" <a" [ ] ]( [a]( ![ [[ * ** *a _a_ \` \`\`a ~~ | |a
  |a|b| --> 00:00.000-->00:01.000 { {\\ \\ \\n ; ;a=" , ,a : / // http:// www. a. a@ @a. a@b. - -a + # ## $ ! |! . .. ( 1( 1. 0 a é й 👍`
    .split(/\s+/)
    .concat([
      ' ',
      '\n',
      '\t',
      '\r\n',
      '\n\n',
      '> ',
      '- ',
      '1. ',
      '* a ',
      ' \n',
      'a\n',
      'a\n\n',
      '<b>a</i>',
      'a b',
      '\u200b',
    ])
    .map((piece) => piece.replaceAll('\\n', '\n'))

/** Texts of a given length that repeat one pattern: alone, and with a non-matching prefix or suffix. */
export function* hostileTexts(length: number): Generator<{ shown: string; text: string }> {
  for (const piece of PIECES) {
    const body = piece.repeat(Math.max(1, Math.floor(length / piece.length) - 1))
    const shown = JSON.stringify(piece)
    yield { shown: `${shown} …`, text: body }
    yield { shown: `${shown} … x`, text: `${body}x` }
    yield { shown: `x ${shown} …`, text: `x${body}\u0001` }
  }
}

function worker(name: string, most: number, run: EntryPoint['run']): EntryPoint {
  return { name, most, inWorker: true, run }
}

function own(name: string, most: number, run: EntryPoint['run']): EntryPoint {
  return { name, most, inWorker: false, run }
}

function documentOf(text: string) {
  const plain = text.replaceAll('\u0001', '')
  return { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: plain }] }] }
}

function offered(text: string): unknown {
  try {
    return narrowOffer(`v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n${text}`)
  } catch (error) {
    return error
  }
}
