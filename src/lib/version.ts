declare const GHYLL_BUILD_VERSION: string | undefined

/** The product's version; the bundler writes it in, sources run with `0.0.0-dev`. */
export const version: string = typeof GHYLL_BUILD_VERSION === 'string' ? GHYLL_BUILD_VERSION : '0.0.0-dev'
