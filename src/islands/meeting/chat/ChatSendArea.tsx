import type { ComponentProps } from 'react'
import { ChatComposer } from './ChatComposer.tsx'

/** The field for a message or a question, below the error of the last action. */
export function ChatSendArea({ errorText, ...composer }: ComponentProps<typeof ChatComposer> & { errorText: string }) {
  return (
    <>
      {errorText && (
        <p className="chat-failed" role="alert">
          {errorText}
        </p>
      )}
      <ChatComposer {...composer} />
    </>
  )
}
