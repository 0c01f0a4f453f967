import { hashOf } from '../../src/memory/canonical.ts'
import { type Checkpoint, zeroHash } from '../../src/memory/record.ts'
import { privateKeyOf, signHash } from '../../src/memory/sign.ts'

/** The seed of the test vectors: bytes 0 to 31. */
export const vectorSeed = Uint8Array.from({ length: 32 }, (_, n) => n)
export const vectorKey = privateKeyOf(vectorSeed)

/** A signed record; what is not given is that of vector 1. */
export function signedRecord(fields: Partial<Checkpoint> = {}, key = vectorKey): Checkpoint {
  const record = { ...vector1, ...fields }
  const hash = hashOf(record)
  return { ...record, hash, sig: signHash(key, hash) }
}

export const vector1: Checkpoint = {
  v: 1,
  hash: '88ac8d9adc0a7cf4b752083689bbedef2c881fe30131e34e728911b58a5912ee',
  parent: zeroHash,
  device: 'dev-1',
  author: 'alice',
  ts: 1713100000123456789n,
  repo: 'https://example.com/team/app.git',
  branch: 'main',
  session: 'dev-1-1713100000000000000',
  turn: 5,
  model: 'm25',
  planMode: false,
  resumedFrom: null,
  summary: 'Fixed auth race condition',
  emb: null,
  files: ['src/auth.ts', 'src/auth.test.ts'],
  tools: ['bash', 'edit_file'],
  injections: [],
  sig: '9c503a6a5a478226328289acf3fe10914498b02c016cca748e2a889fae67463d553dd8af5e1d9a8bf3d3ca9e57e0d0ed8ad562779728a174d6af536eb0b93e03'
}

export const vector2: Checkpoint = {
  ...vector1,
  v: 2,
  hash: '357bff7829c0dc563c7a4152f9582892c6306357169939be59990d56564549e1',
  parent: vector1.hash,
  ts: 1713100000123456790n,
  branch: 'feat/größe',
  turn: 10,
  model: 'glm5',
  planMode: true,
  resumedFrom: { session: 'dev-1-1713000000000000000', hash: 'a'.repeat(64) },
  summary: 'R\u00e9factor <Foo> & "Bar"\\Baz\n\t\u65e5\u672c\u8a9e \u{1F680} sep\u2028end\u2029 ctl\u0001\b\f a/b',
  files: ['src/größe.ts'],
  tools: [],
  injections: ['instruction_override', 'sensitive_path'],
  sig: '305c2021d850e2c357c75bab0ef03b0327c8dcd7e99d293b3d6432146a999a1f11548bcaf9367cb5945d028ee8be02f76a2f92509f7ed7923bd7a022a215f70e'
}

export const vector3: Checkpoint = {
  ...vector1,
  v: 2,
  hash: 'bc88f6988d44fbffad58502415b5efbbaf42ad78beef4dc5258cae4f931be9b2',
  device: 'ci',
  author: 'ci',
  ts: 9007199254740993n,
  repo: '/srv/app',
  branch: '',
  session: 'ci-9007199254740993',
  turn: 0,
  summary: '',
  files: [],
  tools: [],
  sig: '6e936b43af7ac7676cd5bd516ef60f31b28b84b168fd1d741ded9c8eeb33657859c2df3dd5bb69bfb46367549cf410eb42447ffec8147defea51bb7fba0b4e0c'
}

export const vector3b: Checkpoint = {
  ...vector3,
  hash: '375d3e3e0f2244d074610453a7e6d15733231dbe398d4bf3bb186968165c6959',
  files: null,
  tools: null,
  sig: '9a9d652fd6e54f5f5ced783d44c5b55d755f1fc378d4a2f3201d2b0ee7f33fc43277e1a3a3e73a307d2c87cc6fc7a50156a2d4a3ecc111c11b2f11dd47307005'
}
