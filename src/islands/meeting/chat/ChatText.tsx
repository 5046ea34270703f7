import { splitLinks } from '#lib/meeting/chat/word-rules.ts'

/** The text of a message. Complete http(s) addresses become links, if the chat settings allow links. */
export function ChatText({ text }: { text: string }) {
  return (
    <p className="chat-text">
      {splitLinks(text).map((part) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <a key={part.start} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
            {part.text}
          </a>
        ),
      )}
    </p>
  )
}
