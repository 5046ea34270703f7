import { sql } from 'drizzle-orm'
import pg from 'pg'
import { log } from '../log.ts'

/** Statements are prepared from this use on: most statements of rarely opened pages are not used again. */
const PREPARED_FROM_USE = 3
const PLANNED_EACH_TIME_COMMENT = '/* planned each time */'
/**
 * A comment in a statement whose best plan depends on its values and on the size of the tenant: it is not prepared,
 * since PostgreSQL may use one generic plan for all executions of a prepared statement.
 */
export const PLANNED_EACH_TIME = sql.raw(PLANNED_EACH_TIME_COMMENT)
/** Each prepared statement takes memory in the server process of every connection. */
const MAX_PREPARED = 256
const MAX_COUNTED = 4096

const CHANGES =
  /^(?!\s*(select|with|begin)\b)|\b(insert|update|delete|merge|nextval|setval|pg_notify|publish_live|sweep_\w+|pgboss|lock|share)\b/i

interface Statement {
  uses: number
  changes: boolean
  name?: string
  isPlannedEachTime: boolean
}

const statements = new Map<string, Statement>()
let preparedCount = 0

/**
 * A connection that sends statements without waiting for the responses to earlier ones (pipeline mode of PostgreSQL),
 * writes the statements of one turn of the event loop to the socket at once, and prepares statements that are used
 * often.
 */
export class PipelinedClient extends pg.Client {
  /** Whether a statement since `startTransaction` may have changed something. */
  mayHaveChanged = false
  private corked = false

  constructor(options?: pg.ClientConfig) {
    super({ ...options, pipeline: true })
    // The pool listens only while the connection is idle. In use, the next statement on it fails; without a listener the
    // event would be an uncaught error.
    this.on('error', () => {})
    this.on('notice', logLockWait)
    // A proxy keeps the overloads of `query`.
    this.query = new Proxy(this.query, {
      apply: (_query, _client, [config, ...rest]) => {
        this.cork()
        const [values, ...others] = rest
        // A text with its values can be prepared like a query object.
        const isText = typeof config === 'string' && Array.isArray(values)
        return isText
          ? Reflect.apply(super.query, this, [this.observe({ text: config, values }), ...others])
          : Reflect.apply(super.query, this, [this.observe(config), ...rest])
      },
    })
  }

  /**
   * Sends `begin` and the first statements of a transaction; the statements that follow do not have to wait for them.
   */
  startTransaction(statement: string): Promise<unknown> {
    this.mayHaveChanged = false
    return this.query(statement)
  }

  /** Closes the connection although statements are still running on it. */
  destroy(): void {
    this.connection.stream.destroy()
  }

  private observe(config: unknown): unknown {
    const text = typeof config === 'string' ? config : isQuery(config) ? config.text : null
    if (text === null) {
      this.mayHaveChanged = true
      return config
    }
    const statement = statementOf(text)
    this.mayHaveChanged ||= statement.changes
    return statement.name && isQuery(config) && !config.name ? { ...config, name: statement.name } : config
  }

  // process.nextTick runs after all pending promise callbacks, so the statements that they send are included.
  private cork(): void {
    if (this.corked) return
    this.corked = true
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => {
      this.corked = false
      stream.uncork()
    })
  }
}

// The SQLSTATE of the warning of lock_until_commit and publish_live; its detail are milliseconds.
const LOCK_WAIT_CODE = '01L01'

function logLockWait({ code, message, detail }: { code?: string; message?: string; detail?: string }): void {
  if (code === LOCK_WAIT_CODE) log.warn({ lock: message, waitedMs: Number(detail) }, 'a transaction waited for a lock')
}

function statementOf(text: string): Statement {
  const statement = statements.get(text) ?? {
    uses: 0,
    changes: CHANGES.test(text),
    isPlannedEachTime: text.includes(PLANNED_EACH_TIME_COMMENT),
  }
  statement.uses += 1
  const isPreparable = !statement.name && !statement.isPlannedEachTime
  if (isPreparable && statement.uses >= PREPARED_FROM_USE && preparedCount < MAX_PREPARED) {
    preparedCount += 1
    statement.name = `s${preparedCount}`
  }
  if (statement.uses === 1 && statements.size < MAX_COUNTED) statements.set(text, statement)
  return statement
}

function isQuery(config: unknown): config is pg.QueryConfig {
  return typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string'
}
