import { Fragment } from 'react'
import type { MarkdownInline } from '#lib/chat/message/inline-rules.ts'
import { type MarkdownBlock, type MarkdownList, parseMarkdown } from '#lib/chat/message/markdown-rules.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { mentionParts } from './mention-text.ts'

interface Props {
  body: string
  mentioned?: readonly string[]
  t: Translate
}

/** Longer quotes are folded: a reply by email can contain the quoted email where its parser is in doubt. */
const MAX_QUOTE_LINES = 5

/** The text of a message. The parser yields a tree without HTML, so that nothing can be injected. */
export function MessageBody({ body, mentioned = [], t }: Props) {
  return (
    <div className="chat-text">
      {numbered(parseMarkdown(body)).map(([block, at]) =>
        block.type === 'quote' && block.lines.length > MAX_QUOTE_LINES ? (
          <details key={at}>
            <summary className="chat-quote-summary">{t('chat:message.showQuote')}</summary>
            {renderBlock(block, at, mentioned)}
          </details>
        ) : (
          renderBlock(block, at, mentioned)
        ),
      )}
    </div>
  )
}

/** Names that the text mentions as `@name`. */
type Names = readonly string[]

function renderBlock(block: MarkdownBlock, key: number, names: Names) {
  switch (block.type) {
    case 'code':
      return (
        <pre key={key} className="chat-code">
          <code>{block.text}</code>
        </pre>
      )
    case 'list':
      return <Fragment key={key}>{renderList(block, names)}</Fragment>
    case 'quote':
      return <blockquote key={key}>{renderLines(block.lines, names)}</blockquote>
    case 'paragraph':
      return <p key={key}>{renderLines(block.lines, names)}</p>
  }
}

function renderList(list: MarkdownList, names: Names) {
  const items = numbered(list.items).map(([{ lines, lists }, at]) => (
    <li key={at}>
      {renderLines(lines, names)}
      {numbered(lists).map(([inner, index]) => (
        <Fragment key={index}>{renderList(inner, names)}</Fragment>
      ))}
    </li>
  ))
  return list.isOrdered ? <ol start={list.start}>{items}</ol> : <ul>{items}</ul>
}

const renderLines = (lines: MarkdownInline[][], names: Names) =>
  numbered(lines).map(([line, index]) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {renderInline(line, names)}
    </Fragment>
  ))

const renderInline = (parts: MarkdownInline[], names: Names) =>
  numbered(parts).map(([part, index]) => <Fragment key={index}>{renderPart(part, names)}</Fragment>)

function renderPart(part: MarkdownInline, names: Names) {
  switch (part.type) {
    case 'text':
      return names.length === 0 ? part.text : renderMentions(part.text, names)
    case 'code':
      return <code>{part.text}</code>
    case 'bold':
      return <strong>{renderInline(part.content, names)}</strong>
    case 'italic':
      return <em>{renderInline(part.content, names)}</em>
    case 'strike':
      return <del>{renderInline(part.content, names)}</del>
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer nofollow" className="chat-link">
          {part.text}
        </a>
      )
  }
}

const renderMentions = (text: string, names: Names) =>
  numbered(mentionParts(text, names)).map(([part, index]) =>
    part.isMention ? (
      <span key={index} className="chat-mention">
        {part.text}
      </span>
    ) : (
      <Fragment key={index}>{part.text}</Fragment>
    ),
  )

const numbered = <Item,>(items: readonly Item[]): [Item, number][] => items.map((item, index) => [item, index])
