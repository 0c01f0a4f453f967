export { type DemoOptions, runDemo } from './demo.ts'
export { EndpointUnavailable } from './endpoint.ts'
export type { DemoHost, TourSession } from './host.ts'
export type { DemoPlace } from './sample.ts'
