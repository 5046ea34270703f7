import { escapeHtml } from '#lib/core/shared/text/escape.ts'
import type { ExportedMessage } from './exported-message.ts'

/** The page of a conversation until its first message. */
export const htmlStart = (title: string): string => `<!doctype html>
<html lang="uk"><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}article{margin:0 0 1rem}
time,small{color:#555}p{margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere}</style>
<h1>${escapeHtml(title)}</h1>
`

/** A message. Its text is shown without formatting. */
export function htmlOfMessage(message: ExportedMessage): string {
  const { seq, author, sentAt, body, replyToSeq, forwardedFrom, files } = message
  const forwarded = forwardedFrom === null ? '' : ` <small>⤳ ${escapeHtml(forwardedFrom)}</small>`
  const reply = replyToSeq === null ? '' : ` <small><a href="#m${replyToSeq}">↩ ${replyToSeq}</a></small>`
  const links = files.map(({ name, path }) => `<p><a href="${escapeHtml(encodeURI(path))}">${escapeHtml(name)}</a></p>`)
  return `<article id="m${seq}"><strong>${escapeHtml(author)}</strong> <time datetime="${sentAt}">${sentAt}</time>${reply}${forwarded}
<p>${escapeHtml(body)}</p>${links.join('')}</article>
`
}

export const htmlEnd = '</html>\n'
