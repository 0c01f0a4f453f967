export { runDemo } from './demo.ts'
export type { DemoHost } from './host.ts'
