// The workloads for Node's own Promise. Reads lines such as `W1 100000`, and answers each with nanoseconds
// (bytes for W7).
'use strict'

const deferred = () => Promise.withResolvers ? Promise.withResolvers() : (() => {
  const made = {}
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made
})()

// Adds steps to a promise that is pending, and then resolves it.
const chain = (count, handler) => {
  const root = deferred()
  let promise = root.promise
  for (let i = 0; i < count; i++) promise = promise.then(handler)
  root.resolve(0)
  return promise
}

// Each function returns the promise that settles last.
const workloads = {
  W1: (count) => {
    let promise = Promise.resolve(0)
    for (let i = 0; i < count; i++) promise = promise.then((x) => x + 1)
    return promise
  },
  W2: (count) => chain(count, (x) => x + 1),
  W3: (count) => {
    const root = deferred()
    let last
    for (let i = 0; i < count; i++) last = root.promise.then((x) => x + 1)
    root.resolve(0)
    return last
  },
  // A later turn of the event loop resolves the inputs, because Node has no other thread.
  W4: (count) => {
    const inputs = Array.from({ length: count }, deferred)
    const all = Promise.all(inputs.map((input) => input.promise)).then((values) => values.length)
    setImmediate(() => { for (const input of inputs) input.resolve(0) })
    return all
  },
  W5: (count) => {
    let last
    for (let i = 0; i < count; i++) {
      const root = deferred()
      last = root.promise.then((x) => x + 1)
      root.resolve(0)
    }
    return last
  },
  W5c: (count) => {
    let last, hits = 0
    for (let i = 0; i < count; i++) {
      const root = deferred()
      last = root.promise.then((x) => { hits++; return x + i })
      root.resolve(0)
    }
    return last
  },
  W6: (count) => chain(count, (x) => Promise.resolve(x + 1)),
}

async function measure(name, count) {
  if (name !== 'W7') {
    const begin = process.hrtime.bigint()
    await workloads[name](count)
    return Number(process.hrtime.bigint() - begin)
  }
  const kept = new Array(count).fill(null)
  global.gc()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < count; i++) {
    kept[i] = deferred().promise
    kept[i].then((x) => x + 1)
  }
  global.gc()
  return kept.length === count ? process.memoryUsage().heapUsed - before : 0
}

const lines = require('readline').createInterface({ input: process.stdin })
lines.on('line', async (line) => {
  const [name, count] = line.split(' ')
  process.stdout.write(`${await measure(name, Number(count))}\n`)
})
