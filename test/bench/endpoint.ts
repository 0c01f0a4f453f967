import { startEndpoint } from '../../src/demo/endpoint.ts'
import { defaultScript } from '../../src/demo/scenes/index.ts'

// The scripted endpoint in a process of its own (TERM-74), so that its work is not counted as the program's. Tells its address
// on standard output and ends with its parent.

const { url } = await startEndpoint({ script: defaultScript })
process.on('disconnect', () => process.exit(0))
process.send?.({ url })
