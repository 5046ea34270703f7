import { parseArgs } from 'node:util'
import type { School, SchoolTransfer, SchoolTransfers } from '#lib/billing/operator/schema.ts'
import { type Closers, closeOnSignals, loadConfig, openDatabase } from './launch.ts'

/*
 * Schools of the installation, also while it runs; --json prints what the API returns.
 *
 * npm run operator -- list [--search TEXT]
 * npm run operator -- usage SCHOOL
 * npm run operator -- extend-trial SCHOOL --days N
 * npm run operator -- transfers SCHOOL
 * npm run operator -- confirm-transfer SCHOOL --invoice N
 * npm run operator -- suspend SCHOOL --reason TEXT
 * npm run operator -- restore SCHOOL
 */
const USAGE =
  'npm run operator -- list [--search TEXT] | usage SCHOOL | extend-trial SCHOOL --days N | transfers SCHOOL | confirm-transfer SCHOOL --invoice N | suspend SCHOOL --reason TEXT | restore SCHOOL   [--json]'

const { command, school, values } = readArguments()
const closers: Closers = []
const { settled, end } = closeOnSignals(closers)
const config = await loadConfig('production')
try {
  await openDatabase(config, closers)
  settled()
  const result = await run()
  console.log(values.json ? JSON.stringify(result, null, 2) : asText(result))
  await end(0)
} catch (error) {
  console.error(await explained(error))
  await end(1)
}

type Result = School & { usage?: { limit: string; used: number; max: number | null }[] }
type Answer = Result | Result[] | SchoolTransfers | SchoolTransfer

async function run(): Promise<Answer> {
  const operator = await import('#lib/billing/operator/operator.ts')
  const schema = await import('#lib/billing/operator/schema.ts')
  if (command === 'list') return listAll(values.search)
  if (command === 'usage') {
    const { planUsage } = await import('#lib/plan-usage.ts')
    return operator.getSchoolUsage(schema.SchoolInput.parse({ school }), planUsage)
  }
  if (command === 'extend-trial') return operator.extendTrial(schema.ExtendTrial.parse({ school, days: values.days }))
  const { confirmPlanTransfer, listPlanTransfers } = await import('#lib/billing/operator/transfers.ts')
  if (command === 'transfers') return listPlanTransfers(schema.SchoolInput.parse({ school }))
  if (command === 'confirm-transfer')
    return confirmPlanTransfer(schema.ConfirmPlanTransfer.parse({ school, invoice: values.invoice }))
  if (command === 'suspend')
    return operator.suspendSchool(schema.SuspendSchool.parse({ school, reason: values.reason ?? '' }))
  if (command === 'restore') return operator.restoreSchool(schema.SchoolInput.parse({ school }))
  throw new Error(USAGE)
}

async function listAll(search: string): Promise<Result[]> {
  const { listSchools } = await import('#lib/billing/operator/operator.ts')
  const { ListSchools } = await import('#lib/billing/operator/schema.ts')
  const schools: Result[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = await listSchools(ListSchools.parse({ search, after, limit: 100 }))
    schools.push(...page.items)
    after = page.next
  }
  return schools
}

function asText(result: Answer): string {
  if (Array.isArray(result)) return result.map(line).join('\n')
  if ('transfers' in result) return result.transfers.map(transferLine).join('\n')
  if ('invoice' in result) return transferLine(result)
  const usage = (result.usage ?? []).map(
    ({ limit, used, max }) => `  ${limit}: ${Number(used.toFixed(2))} / ${max ?? '∞'}`,
  )
  return [line(result), ...usage].join('\n')
}

function transferLine({ invoice, amount, currency, group, plan, period, state, createdAt }: SchoolTransfer): string {
  const money = `${(amount / 100).toFixed(2)} ${currency}`
  return [`№ ${invoice}`, state, money, `${group} ${plan}, ${period}`, createdAt.slice(0, 10)].join('\t')
}

function line({ subdomain, status, name, owner, plans }: Result): string {
  const current = plans.filter(({ state }) => state === 'current')
  const texts = current.map(
    ({ group, plan, trialEndsAt, nextPayment }) =>
      `${group} ${plan}${trialEndsAt ? ' (trial)' : ''} → ${nextPayment?.slice(0, 10) ?? '–'}`,
  )
  return [subdomain, status, name, owner?.email ?? '–', ...texts].join('\t')
}

function readArguments() {
  try {
    const options = {
      json: { type: 'boolean', default: false },
      search: { type: 'string', default: '' },
      days: { type: 'string' },
      invoice: { type: 'string' },
      reason: { type: 'string' },
    } as const
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const [command, school] = positionals
    if (!command || (command !== 'list' && !school)) throw new Error(USAGE)
    return { command, school, values }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(1)
  }
}

/** Invalid arguments by their names; a refusal as text. */
async function explained(error: unknown): Promise<string> {
  const { Refusal } = await import('#lib/core/http/refusal.ts')
  const { ZodError } = await import('zod')
  if (error instanceof ZodError)
    return `${error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n')}\n${USAGE}`
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error)
  const { refusedFields, refusedMessage } = await import('#lib/core/http/api/issues.ts')
  const { getTranslator } = await import('#lib/core/i18n/i18n.ts')
  const t = getTranslator('en')
  return [...Object.values(refusedFields(t, error)).flat(), refusedMessage(t, error)][0] ?? error.code
}
