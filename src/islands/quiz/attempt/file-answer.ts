import { api } from '#islands/stores/api.ts'
import type { AddedFile } from '#islands/stores/upload/added-file.ts'

interface AttemptPlace {
  /** Membership id of the student. */
  owner: string
  attemptId: string
}

/** Under which the files of an attempt wait on this device, or those of one of its questions. */
export const fileAnswerPlace = ({
  owner,
  attemptId,
  questionId = '',
}: AttemptPlace & { questionId?: string }): string => `${owner} attempt ${attemptId} ${questionId}`

/** The upload of a file into an answer. After the end of the attempt the server keeps the file as late. */
export function fileAnswerUpload(
  place: AttemptPlace & { questionId: string },
  chosen: { id?: string; file: File },
): AddedFile {
  const { attemptId, questionId } = place
  return {
    ...chosen,
    place: fileAnswerPlace(place),
    startUpload: (about) =>
      api.quiz.startFileAnswer({ attemptId, questionId, ...about }, { context: { isQuiet: true } }),
  }
}
