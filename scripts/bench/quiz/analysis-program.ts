import { pool } from '#lib/core/db/db.ts'
import { computeItemAnalysis } from '#lib/quiz/analysis/compute-item-analysis.ts'

/* Computes the item analysis of a test and prints how long it took. */
const [tenantId = '', quizId = ''] = process.argv.slice(2)
const since = performance.now()
await computeItemAnalysis({ tenantId, quizId })
console.log(JSON.stringify({ seconds: (performance.now() - since) / 1000 }))
await pool.end()
process.exit(0)
