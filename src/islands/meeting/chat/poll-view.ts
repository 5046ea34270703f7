import type { RoomState } from '#lib/workshop/session/state-schema.ts'

type Poll = NonNullable<RoomState['poll']>

interface PollOption {
  index: number
  label: string
  votes: number
  percent: number
  isOwn: boolean
  /** Whether it is a right answer of a quiz; null until it may be shown. */
  isRight: boolean | null
}

export interface PollView {
  options: PollOption[]
  voters: number
  /** Average of a rating, otherwise null. */
  average: number | null
  /** Whether the results may be shown. */
  showsResults: boolean
}

/** Returns the view of a poll for a participant: results according to its setting, right answers after it is closed. */
export function createPollView(
  { content, closed, tally: closing, voters }: Poll,
  live: { tally: number[]; voters: number } | null,
  ownVote: readonly number[] | null,
  isStaff: boolean,
): PollView {
  // A poll of a script is closed without the votes of this session's viewers.
  const counted = live && (!closed || voters === 0) ? live : { tally: closing, voters }
  // The own vote is shown before the server has counted any.
  const isUncounted = ownVote !== null && !closed && counted.voters === 0
  const voterCount = isUncounted ? 1 : counted.voters
  const isRating = content.kind === 'rating'
  const options = isRating ? ['1', '2', '3', '4', '5'] : content.options
  const divisor = voterCount || 1
  const showsRight = content.kind === 'quiz' && content.right.length > 0 && (closed || isStaff)
  const pollOptions = options.map((label, index) => {
    const votes = isUncounted ? Number(ownVote.includes(index)) : (counted.tally[index] ?? 0)
    return {
      index,
      label,
      votes,
      percent: Math.round((votes / divisor) * 100),
      isOwn: ownVote?.includes(index) ?? false,
      isRight: showsRight ? content.right.includes(index) : null,
    }
  })
  const total = pollOptions.reduce((sum, { votes }) => sum + votes, 0)
  const stars = pollOptions.reduce((sum, { votes, index }) => sum + votes * (index + 1), 0)
  const { showResults } = content
  return {
    options: pollOptions,
    voters: voterCount,
    average: isRating && total > 0 ? stars / total : null,
    showsResults:
      isStaff || (showResults === 'always' && (closed || ownVote !== null)) || (showResults === 'afterClose' && closed),
  }
}
