import { useStore } from '@nanostores/react'
import { useMemo, useState } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { ChatComposer } from '../chat/ChatComposer.tsx'
import { ChatLetter } from '../chat/ChatLetter.tsx'
import { $chat, $letters } from '../chat/chat.ts'
import { sortedQuestions } from '../chat/chat-list.ts'
import { useRun } from '../chat/chat-run.ts'
import { $me, $state } from '../room.ts'
import { useWords } from '../stage/stage-words.ts'
import { QuestionCard } from './QuestionCard.tsx'

const SORTS = ['top', 'new', 'open'] as const
const WORDS = {
  top: 'meeting:question.sortTop',
  new: 'meeting:question.sortNew',
  open: 'meeting:question.sortOpen',
} as const
/** More than anybody reads; the others are found by search. */
const MOST = 60

/** Questions: asked, voted for, answered aloud or in writing. */
export function QuestionPanel({ view }: { view: RoomView }) {
  const { say } = useWords()
  const me = useStore($me) ?? view.me
  const state = useStore($state) ?? view.state
  const chat = useStore($chat)
  const letters = useStore($letters)
  const [sort, setSort] = useState<(typeof SORTS)[number]>('top')
  const [mend, setMend] = useState<{ text: string } | null>(null)
  const { words, run } = useRun()
  const questions = useMemo(
    () => sortedQuestions(chat.question, sort, state.answering),
    [chat.question, sort, state.answering],
  )
  const known = new Set(questions.map(({ messageId }) => messageId))
  const sending = letters.filter(({ kind, messageId }) => kind === 'question' && !known.has(messageId))
  return (
    <div className="chat">
      <div className="chat-search">
        <select
          className="select select-sm"
          aria-label={say('meeting:question.sort')}
          value={sort}
          onChange={({ target }) => setSort(SORTS.find((one) => one === target.value) ?? 'top')}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {say(WORDS[one])}
            </option>
          ))}
        </select>
      </div>
      <div className="chat-page">
        {questions.length + sending.length === 0 && <p className="chat-empty">{say('meeting:question.empty')}</p>}
        <ul aria-label={say('meeting:question.list')} className="chat-cards">
          {sending.map((letter) => (
            <li key={letter.messageId} className="chat-card">
              <ChatLetter letter={letter} me={me} edit={(text) => setMend({ text })} />
            </li>
          ))}
          {questions.slice(0, MOST).map((question) => (
            <QuestionCard
              key={question.messageId}
              question={question}
              me={me}
              answering={question.messageId === state.answering}
              run={run}
            />
          ))}
        </ul>
      </div>
      {words && (
        <p className="chat-failed" role="alert">
          {words}
        </p>
      )}
      <ChatComposer view={view} kind="question" to={null} onDone={() => setMend(null)} mend={mend} />
    </div>
  )
}
