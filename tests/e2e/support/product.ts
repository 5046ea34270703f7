import { startProduct } from '../../setup/product.ts'

/**
 * Starts the built product with its demo school once per browser run, in a separate process. E2E_ORIGIN may name a
 * running installation, e.g. `http://kafedra.localhost:4321`.
 */
export default async function setup() {
  if (process.env.E2E_ORIGIN) return
  const product = await startProduct()
  process.env.E2E_ORIGIN = product.addressOf(null, '')
  return async () => {
    await product.stop()
    if (/"level":"?(error|fatal|50|60)/.test(product.getOutput())) console.log(product.getOutput())
  }
}
