import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Refusal } from '#lib/core/http/refusal.ts'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import type { ReadQuestion } from '#lib/quiz/transfer/question-reader.ts'
import { parseUploadedQuestions } from '#lib/quiz/transfer/worker-task.ts'

/**
 * Parses every file of a folder as questions, in the worker process of imports, and prints per file what would be
 * imported, what changed and what was skipped, with lines and reasons. Returns whether no file caused an error; a
 * refused file is a result.
 */
export async function soakQuestions(folder: string): Promise<boolean> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'kafedra-questions-'))
  const total = { imported: 0, changed: 0, skipped: 0, refused: 0, failed: 0 }
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
    for (const file of files.sort()) {
      const name = path.relative(folder, file)
      try {
        const { format, questions } = await parseUploadedQuestions({ path: file, scratch })
        for (const { verdict } of questions) total[verdict] += 1
        console.log(
          [
            `${name} (${format}): ${questions.length}`,
            ...questions.filter(({ reasons }) => reasons.length > 0).map(printed),
          ].join('\n'),
        )
      } catch (error) {
        const isRefused = error instanceof Refusal
        total[isRefused ? 'refused' : 'failed'] += 1
        console.log(
          `${name}: ${isRefused ? `refused, ${JSON.stringify(error.details.fields ?? {})}` : `failed, ${String(error)}`}`,
        )
      }
    }
    console.log(
      Object.entries(total)
        .map(([key, count]) => `${key} ${count}`)
        .join(', '),
    )
    return total.failed === 0
  } finally {
    closeWorkers()
    await rm(scratch, { recursive: true, force: true })
  }
}

const printed = ({ file, line, title, verdict, reasons }: ReadQuestion): string =>
  `  ${file ? `${file}:` : ''}${line} ${verdict}: ${reasons.join(', ')} (${title.slice(0, 60)})`
