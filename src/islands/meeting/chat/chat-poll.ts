import type { RoomState } from '#lib/workshop/session/state-schema.ts'

type Poll = NonNullable<RoomState['poll']>

export interface PollLine {
  index: number
  label: string
  votes: number
  percent: number
  mine: boolean
  /** Of a quiz: null until it may be known. */
  right: boolean | null
}

export interface PollView {
  lines: PollLine[]
  voters: number
  /** Of a rating. */
  average: number | null
  /** Whether the numbers may be seen by now. */
  counted: boolean
}

/** What of a poll somebody sees: its numbers by its setting, the right answers once it is over. */
export function pollView(
  { content, closed, tally: closing, voters }: Poll,
  live: { tally: number[]; voters: number } | null,
  mine: readonly number[] | null,
  staff: boolean,
): PollView {
  // A script closes a poll without the votes of those who watch.
  const counted = live && (!closed || voters === 0) ? live : { tally: closing, voters }
  // One's own vote is seen at once, before the server has counted the first.
  const early = mine !== null && !closed && counted.voters === 0
  const people = early ? 1 : counted.voters
  const rating = content.kind === 'rating'
  const options = rating ? ['1', '2', '3', '4', '5'] : content.options
  const all = people || 1
  const knows = content.kind === 'quiz' && content.right.length > 0 && (closed || staff)
  const lines = options.map((label, index) => {
    const votes = early ? Number(mine.includes(index)) : (counted.tally[index] ?? 0)
    return {
      index,
      label,
      votes,
      percent: Math.round((votes / all) * 100),
      mine: mine?.includes(index) ?? false,
      right: knows ? content.right.includes(index) : null,
    }
  })
  const total = lines.reduce((sum, { votes }) => sum + votes, 0)
  const stars = lines.reduce((sum, { votes, index }) => sum + votes * (index + 1), 0)
  const { showResults } = content
  return {
    lines,
    voters: people,
    average: rating && total > 0 ? stars / total : null,
    counted:
      staff || (showResults === 'always' && (closed || mine !== null)) || (showResults === 'afterClose' && closed),
  }
}
