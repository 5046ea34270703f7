import { Refusal } from '#lib/core/http/refusal.ts'
import { type ChaosAnswer, type ChaosRequest, FUNCTIONS } from './chaos-server.ts'

/* A process of the product that runs the domain functions for the devices of the chaos test. */

process.on('message', (request: ChaosRequest) => void respond(request))
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function respond({ id, name, args }: ChaosRequest): Promise<void> {
  const answer = await Promise.resolve()
    .then(() => Reflect.apply(FUNCTIONS[name], null, args))
    .then(
      (result): ChaosAnswer => ({ id, result }),
      (error: unknown): ChaosAnswer =>
        error instanceof Refusal
          ? { id, refusal: { code: error.code, status: error.status } }
          : { id, failure: String(error) },
    )
  process.send?.(answer)
}
